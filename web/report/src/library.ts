// The parts of the chart library that the page uses; what is not named here is not in the bundle.

import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, TooltipComponent } from "echarts/components";
import { use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";

const CHARTS = [LineChart, ScatterChart, BarChart, CustomChart];
use([...CHARTS, GridComponent, TooltipComponent, AriaComponent, LabelLayout, SVGRenderer]);

export { init } from "echarts/core";
export type { EChartsType } from "echarts/core";
export type { EChartsOption } from "echarts";
