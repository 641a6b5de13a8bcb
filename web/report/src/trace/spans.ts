// A device's time from stretch to stretch, as libs/showing/charts/include/batchscope/charts/time_line.hpp describes it. It stays
// packed: of every 64th stretch it is known where it stands, when it starts, and how long each part was until then. Any
// time between two moments is a difference of two such sums, however many stretches there are.

export const PARTS = 9;
const SEVERAL = PARTS; // in place of a part, as the next
const NOT_COUNTED = PARTS + 1;
const BLOCK = 64;

/** `part` is -1 where several share the stretch, -2 where it does not count; `lengths` are of all parts. */
export interface Span {
  start: number;
  end: number;
  part: number;
  lengths: number[];
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Goes from stretch to stretch, in units. */
class Reader {
  part = -1;
  length = 0;
  readonly lengths = new Float64Array(PARTS);

  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
  ) {}

  next(): void {
    const head = this.number();
    const code = head % 16;
    if (code < SEVERAL || code === NOT_COUNTED) {
      this.part = code < SEVERAL ? code : -2;
      this.length = (head - code) / 16;
      return;
    }
    this.part = -1;
    this.length = 0;
    const mask = (head - code) / 16;
    for (let part = 0; part < PARTS; part += 1) {
      const length = (mask >> part) & 1 ? this.number() : 0;
      this.lengths[part] = length;
      this.length += length;
    }
  }

  addTo(sums: Float64Array, share: number): void {
    if (this.part >= 0) sums[this.part]! += share * this.length;
    if (this.part !== -1) return;
    for (let part = 0; part < PARTS; part += 1) sums[part]! += share * this.lengths[part]!;
  }

  // Not by shifts: these end at 32 bits.
  private number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at] ?? 0;
      this.at += 1;
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }
}

export interface Packed {
  from: number;
  unit: number;
  spans: number;
  packed: string;
}

export class Spans {
  readonly count: number;
  readonly start: number;
  readonly end: number;
  private readonly unit: number;
  private readonly bytes: Uint8Array;
  private readonly places: Uint32Array; // of each block, in the bytes
  private readonly starts: Float64Array; // of each block, in units from the start
  private readonly sums: Float64Array; // of each part before each block, in units

  constructor(device: Packed) {
    this.count = device.spans;
    this.start = device.from;
    this.unit = device.unit;
    this.bytes = bytesOf(device.packed);
    const blocks = Math.ceil(this.count / BLOCK);
    this.places = new Uint32Array(blocks);
    this.starts = new Float64Array(blocks);
    this.sums = new Float64Array(blocks * PARTS);
    const reader = new Reader(this.bytes, 0);
    const sums = new Float64Array(PARTS);
    let total = 0;
    for (let index = 0; index < this.count; index += 1) {
      if (index % BLOCK === 0) {
        const block = index / BLOCK;
        this.places[block] = reader.at;
        this.starts[block] = total;
        this.sums.set(sums, block * PARTS);
      }
      reader.next();
      reader.addTo(sums, 1);
      total += reader.length;
    }
    this.end = this.start + total * this.unit;
  }

  /** Nanoseconds of each part before that time. */
  before(time: number): Float64Array {
    const sums = new Float64Array(PARTS);
    const target = (Math.min(time, this.end) - this.start) / this.unit;
    if (!(target > 0)) return sums;
    const block = this.blockAt(target);
    sums.set(this.sums.subarray(block * PARTS, (block + 1) * PARTS));
    const reader = new Reader(this.bytes, this.places[block]!);
    let at = this.starts[block]!;
    while (at < target && reader.at < this.bytes.length) {
      reader.next();
      const taken = Math.min(reader.length, target - at);
      reader.addTo(sums, reader.length > 0 ? taken / reader.length : 0);
      at += taken;
    }
    for (let part = 0; part < PARTS; part += 1) sums[part]! *= this.unit;
    return sums;
  }

  between(from: number, to: number): Float64Array {
    const sums = this.before(to);
    const less = this.before(from);
    for (let part = 0; part < PARTS; part += 1) sums[part]! -= less[part]!;
    return sums;
  }

  /** The parts in each of so many equal columns, one after another. */
  columns(from: number, to: number, count: number): Float64Array {
    const all = new Float64Array(count * PARTS);
    let last = this.before(from);
    for (let column = 0; column < count; column += 1) {
      const next = this.before(from + ((to - from) * (column + 1)) / count);
      for (let part = 0; part < PARTS; part += 1) all[column * PARTS + part] = next[part]! - last[part]!;
      last = next;
    }
    return all;
  }

  /** The one at that time; none outside of them. */
  at(time: number): Span | undefined {
    return this.from(time, 1)[0];
  }

  /** Up to so many, from the one at that time on. */
  from(time: number, most: number): Span[] {
    if (!(time >= this.start && time < this.end)) return [];
    const target = (time - this.start) / this.unit;
    const block = this.blockAt(target);
    const reader = new Reader(this.bytes, this.places[block]!);
    const found: Span[] = [];
    let at = this.starts[block]!;
    while (found.length < most && reader.at < this.bytes.length) {
      reader.next();
      const start = this.start + at * this.unit;
      at += reader.length;
      if (at > target) found.push(this.span(reader, start));
    }
    return found;
  }

  private span(reader: Reader, start: number): Span {
    const lengths = Array.from({ length: PARTS }, (_, part) => {
      return this.unit * (reader.part === -1 ? reader.lengths[part]! : part === reader.part ? reader.length : 0);
    });
    return { start, end: start + reader.length * this.unit, part: reader.part, lengths };
  }

  /** The last block that starts at or before it. */
  private blockAt(target: number): number {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= target) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** The parts of all devices together, for a lane that is the whole. */
export function sumOfLanes(spans: Spans[], wall: number, columns: number): Float64Array {
  const all = new Float64Array(columns * PARTS);
  for (const one of spans) one.columns(0, wall, columns).forEach((ns, index) => (all[index]! += ns));
  return all;
}
