// All that a frame of the timeline is drawn from.

import type { Span } from "../canvas/pen";
import type { View } from "../canvas/view";
import type { Theme } from "../style";
import type { TimelineData } from "./data";
import type { Layout } from "./layout";
import type { Brush } from "./paint";
import type { Spans } from "./spans";

export interface Mark {
  lane: number; // of the devices
  from: number;
  to: number;
}

export interface Scene {
  data: TimelineData;
  spans: Spans[]; // of each device
  layout: Layout;
  view: View;
  theme: Theme;
  brushes: Brush[];
  width: number; // in pixels of the page
  ratio: number; // of the screen's to these
  marks: Mark[]; // what is chosen, framed
  cursor: number | undefined; // a time
  chosen: Span | undefined; // what is about to be zoomed into
}

export function place(scene: Scene, time: number): number {
  return ((time - scene.view.from) / scene.view.span) * scene.width;
}
