// The parts of the chart library that the page uses; what is not named here is not in the bundle.

import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, TooltipComponent } from "echarts/components";
import { use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([LineChart, ScatterChart, BarChart, CustomChart, GridComponent, TooltipComponent, AriaComponent, SVGRenderer]);

export { init } from "echarts/core";
export type { EChartsType } from "echarts/core";
export type { EChartsOption } from "echarts";
