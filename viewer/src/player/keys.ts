/** The keyboard. */

export interface Action {
  keys: string[];
  shown: string;
  doc: string;
  run: (shift: boolean) => void;
}

/** Listens; keys that fields of the page need stay theirs. */
export function listen(actions: Action[]): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "range")) return;
    // a button that has the focus is pressed by the space bar
    if (event.key === " " && target instanceof HTMLButtonElement) target.blur();
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions.find((a) => a.keys.includes(key));
    if (!action) return;
    event.preventDefault();
    action.run(event.shiftKey);
  });
}
