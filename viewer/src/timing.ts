/** How long pictures take to make, without what the graphics card does [ms]. */

const KEPT = 240;

export class Timing {
  /** when values under the pointer were last looked up */
  hovered = 0;
  pictures = 0;
  private late = 0;
  private readonly times = new Float64Array(KEPT);

  note(ms: number): void {
    this.times[this.pictures++ % KEPT] = ms;
  }

  /** Whether pictures came too slowly for a while: call it for each, with the time since the one before. */
  slow(passed: number): boolean {
    this.late = passed > 70 ? this.late + 1 : 0;
    if (this.late < 8) return false;
    this.late = 0;
    return true;
  }

  /** The median and the slowest but 5 % of the last pictures. */
  summary(): { pictures: number; median: number; p95: number } {
    const last = [...this.times.slice(0, Math.min(this.pictures, KEPT))].sort((a, b) => a - b);
    const at = (share: number) => last[Math.floor(share * (last.length - 1))] ?? 0;
    return { pictures: this.pictures, median: at(0.5), p95: at(0.95) };
  }
}
