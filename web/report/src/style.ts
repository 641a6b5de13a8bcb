// How series look. Colours of the light theme come with the data, and their lighter twins for a dark background, too.
// Series also differ by dash and symbol, phases by hatching, so that grey is enough.

let twins: Record<string, string> = {};

export function setDarkTwins(dark: Record<string, string>): void {
  twins = dark;
}

export const FRONT = "#1f4e79";
export const PICK = "#d9660a";
export const ANOMALY = "#b3123f"; // of nothing else

export interface Theme {
  dark: boolean;
  text: string;
  dim: string;
  grid: string;
  line: string;
  background: string;
}

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const variable = (name: string): string => style.getPropertyValue(name).trim();
  return {
    dark: variable("--scheme") === "dark",
    text: variable("--text"),
    dim: variable("--dim"),
    grid: variable("--grid"),
    line: variable("--line"),
    background: variable("--surface"),
  };
}

export function colourOf(colour: string, theme: Theme): string {
  return theme.dark ? (twins[colour] ?? colour) : colour;
}

const DASHES: (number[] | "solid")[] = ["solid", [10, 4], [10, 3, 2, 3], [4, 3], [14, 3, 5, 3], [2, 3]];
const DOWN = "path://M0,10 L-9,-6 L9,-6 Z";
const PENTAGON = "path://M0,-10 L9.5,-3 L5.9,8 L-5.9,8 L-9.5,-3 Z";
const SYMBOLS = ["circle", "rect", "triangle", "diamond", DOWN, PENTAGON];

export function dashOf(style: number): number[] | "solid" {
  return DASHES[style % DASHES.length] ?? "solid";
}

export function symbolOf(style: number): string {
  return SYMBOLS[style % SYMBOLS.length] ?? "circle";
}

export interface Decal {
  symbol: string;
  symbolSize?: number;
  dashArrayX?: number | number[] | number[][];
  dashArrayY?: number | number[];
  rotation?: number;
  color?: string;
}

/** Every second phase is hatched, as in the PNG charts. */
export function decalOf(style: number, theme: Theme): Decal {
  if (style % 2 === 0) return { symbol: "none" };
  const rotations = [-Math.PI / 4, Math.PI / 4, 0];
  return {
    symbol: "rect",
    dashArrayX: [1, 0],
    dashArrayY: [2, 5],
    rotation: rotations[((style - 1) / 2) % rotations.length] ?? 0,
    color: theme.dark ? "rgba(0,0,0,0.55)" : "rgba(255,255,255,0.75)",
  };
}
