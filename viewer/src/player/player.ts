/** The clock of the film. */

/** Speeds of playing: seconds of the run a second. */
export const SPEEDS = [1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1e3, 1e4, 1e5];

/** As the run goes, if that takes 2 to 25 seconds; otherwise so that it takes about 8. */
export function usualSpeed(length: number): number {
  if (!(length > 0) || (length >= 2 && length <= 25)) return 1;
  const wanted = length / 8;
  return SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
}

export class Player {
  playing = false;
  loop = true;
  speed: number;
  start: number;
  end: number;
  private now: number;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly t: Float64Array) {
    this.start = t.length > 0 ? t[0] : 0;
    this.end = t.length > 0 ? t[t.length - 1] : 0;
    this.now = this.start;
    this.speed = usualSpeed(this.length);
  }

  get time(): number {
    return this.now;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** Plays a part of the film alone, over and over, in two seconds. */
  within(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.now = start;
    this.speed = (end - start) / 2;
    this.changed();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  seek(t: number): void {
    this.now = Math.min(Math.max(t, this.start), this.end);
    this.changed();
  }

  toggle(): void {
    if (this.length <= 0) return;
    if (!this.playing && this.now >= this.end) this.now = this.start;
    this.playing = !this.playing;
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.changed();
  }

  /** To another frame. */
  step(frames: number): void {
    this.playing = false;
    let i = 0;
    let high = this.t.length - 1;
    while (i < high) {
      const middle = (i + high + 1) >> 1;
      if (this.t[middle] <= this.now + 1e-12 * this.length) i = middle;
      else high = middle - 1;
    }
    // from between two frames back is to the earlier of them
    if (frames < 0 && this.now > this.t[i] + 1e-9 * this.length) i++;
    this.seek(this.t[Math.min(Math.max(i + frames, 0), this.t.length - 1)] ?? 0);
  }

  /** Faster or slower. */
  hurry(by: number): void {
    const i = SPEEDS.reduce((best, s, k) => (Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(SPEEDS[best] / this.speed)) ? k : best), 0);
    this.speed = SPEEDS[Math.min(Math.max(i + by, 0), SPEEDS.length - 1)];
    this.changed();
  }

  /** So much later [s of the world]. */
  tick(seconds: number): void {
    if (!this.playing) return;
    const next = this.now + seconds * this.speed;
    if (next < this.end) this.now = next;
    else if (this.loop) this.now = this.start;
    else {
      this.now = this.end;
      this.playing = false;
      this.changed();
    }
  }
}
