// Starts a page of the statistics: as any page, with charts.

import "./main.js";
import { drawCharts } from "./charts.js";

drawCharts();
document.addEventListener("shown", drawCharts);
