/** The stretch of time that all plots show. */

export class Span {
  from: number;
  to: number;
  /** the time under the pointer; NaN: it is elsewhere */
  pointed = NaN;
  private readonly listeners: (() => void)[] = [];

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.from = start;
    this.to = end;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Nearer to a time by a factor, or farther. */
  zoom(at: number, factor: number): void {
    const least = 1e-6 * (this.end - this.start);
    const length = Math.min(Math.max((this.to - this.from) * factor, least), this.end - this.start);
    const share = (at - this.from) / (this.to - this.from || 1);
    this.from = Math.min(Math.max(at - share * length, this.start), this.end - length);
    this.to = this.from + length;
    for (const listener of this.listeners) listener();
  }

  reset(): void {
    this.from = this.start;
    this.to = this.end;
    for (const listener of this.listeners) listener();
  }
}
