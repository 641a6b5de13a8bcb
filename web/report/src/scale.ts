// Axes are linear for the chart library; what is logarithmic is transformed here, so that ticks stand at round numbers
// however little the values span.

export interface Scale {
  readonly logarithmic: boolean;
  to(value: number): number;
  from(position: number): number;
}

export const linear: Scale = { logarithmic: false, to: (value) => value, from: (position) => position };

export function logarithmic(base: number): Scale {
  const unit = Math.log(base);
  return {
    logarithmic: true,
    to: (value) => Math.log(value) / unit,
    from: (position) => Math.exp(position * unit),
  };
}

export interface Range {
  low: number;
  high: number;
}

/** The values' range with room for marks and labels at either end. */
export function withRoom(values: number[], scale: Scale, fromZero: boolean, least: number): Range {
  const positions = values.filter((value) => !scale.logarithmic || value > 0).map((value) => scale.to(value));
  const low = Math.min(...positions);
  const high = Math.max(...positions);
  if (fromZero && !scale.logarithmic) return { low: Math.min(0, low), high: high > 0 ? 1.14 * high : 1 };
  const span = Math.max(high - low, scale.logarithmic ? 0.02 : least);
  const middle = (low + high) / 2;
  return { low: middle - 0.64 * span, high: middle + 0.64 * span };
}

/** An end of an interval, or where it leaves the axis. */
export interface Clipped {
  at: number;
  beyond: boolean;
}

export function clip(position: number, range: Range): Clipped {
  if (position < range.low) return { at: range.low, beyond: true };
  if (position > range.high) return { at: range.high, beyond: true };
  return { at: position, beyond: !Number.isFinite(position) };
}

const FOR_INTERVALS = 0.5; // of what the values span, beyond them at either end

/** The values' range, a little wider where intervals need it: they never set the scale. */
export function withIntervals(values: number[], ends: number[], scale: Scale, fromZero: boolean, least: number): Range {
  const range = withRoom(values, scale, fromZero, least);
  if (range.high <= range.low) return range;
  const most = FOR_INTERVALS * (range.high - range.low);
  const places = ends.filter((end) => !scale.logarithmic || end > 0).map((end) => scale.to(end));
  const low = Math.max(Math.min(range.low, ...places), range.low - most);
  const high = Math.min(Math.max(range.high, ...places), range.high + most);
  const room = 0.03 * (high - low);
  return { low: low < range.low && !(fromZero && low >= 0) ? low - room : range.low, high: high > range.high ? high + room : range.high };
}

const MOST_TICKS = 8;

function marks(mantissas: number[], low: number, high: number): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const mantissa of mantissas) {
      const mark = mantissa * 10 ** power;
      if (mark >= low && mark <= high) found.push(mark);
    }
  }
  return found;
}

function evenTicks(low: number, high: number): number[] {
  const rough = (high - low) / 6;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5, 10].find((factor) => factor * unit >= rough) ?? 10);
  const found: number[] = [];
  for (let index = Math.ceil(low / step); index * step <= high; index += 1) found.push(Number((index * step).toPrecision(12)));
  return found;
}

/** Round values within the range of positions. */
export function ticks(range: Range, scale: Scale): number[] {
  const low = scale.from(range.low);
  const high = scale.from(range.high);
  if (!scale.logarithmic || !(low > 0)) return evenTicks(low, high);
  if (high < 2.5 * low) return evenTicks(low, high);
  for (const mantissas of [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]]) {
    const found = marks(mantissas, low, high);
    if (found.length <= MOST_TICKS && found.length > 1) return found;
  }
  const decades = marks([1], low, high);
  const every = Math.ceil(decades.length / MOST_TICKS);
  return decades.filter((_, index) => index % every === 0);
}

const LARGE: [number, string][] = [[1e12, " T"], [1e9, " G"], [1e6, " M"]];

/** As few digits as tell the ticks apart; "10 M" for ten millions. */
export function tickLabel(value: number, decimals: number): string {
  if (value === 0) return "0";
  for (const [unit, suffix] of LARGE) {
    if (Math.abs(value) >= unit) return Number((value / unit).toPrecision(6)) + suffix;
  }
  if (Math.abs(value) < 1e-4) return Number(value.toPrecision(6)).toExponential();
  const shortest = String(Number(value.toPrecision(6)));
  const fixed = value.toFixed(decimals);
  return decimals > 0 && Number(fixed) === Number(shortest) ? fixed : shortest;
}
