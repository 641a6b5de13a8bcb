// Times and shares as texts, with as many digits as C++ gives them.

export function threeDigits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

const UNITS: [ns: number, name: string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];

/** "62.3 ms". */
export function duration(ns: number): string {
  for (const [unit, name] of UNITS) {
    if (ns >= unit) return `${threeDigits(ns / unit)} ${name}`;
  }
  return `${Math.round(ns)} ns`;
}

/** A moment of so long a trace, with the digits that tell it from one so much later: "648.12 ms". As tables have it, in
    milliseconds, but for traces of minutes. */
export function moment(ns: number, resolution: number, wall: number): string {
  const [unit, name] = unitOf(wall);
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(resolution / unit) - 1e-9)));
  return `${(ns / unit).toFixed(decimals)} ${name}`;
}

export function unitOf(wall: number): [ns: number, name: string] {
  return wall >= 1e11 ? [1e9, "s"] : [1e6, "ms"];
}

/** 0.123 as "12 %". */
export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0) return "0 %";
  if (value < 0.1) return "< 0.1 %";
  return `${value.toFixed(value < 9.95 ? 1 : 0)} %`;
}

export function megabytes(bytes: number): string {
  return `${threeDigits(bytes / 1e6)} MB`;
}
