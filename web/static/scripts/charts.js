// Draws charts from the tables of numbers beside them (`figure[data-chart]`), with Chartist.

import { main } from "./page.js";

// A classic script, loaded before this one.
const { BarChart, LineChart, Svg } = window.Chartist;

// Chartist sets style attributes, which the pages' security policy refuses. What a script sets itself is allowed.
const setAttributes = Svg.prototype.attr;
Svg.prototype.attr = function (attributes, namespace) {
  if (attributes?.style === undefined) return setAttributes.call(this, attributes, namespace);
  const { style, ...others } = attributes;
  this.getNode().style.cssText = style;
  return setAttributes.call(this, others, namespace);
};

const CLASSES = {
  horizontalBars: "sideways",
  label: "said",
  labelGroup: "labels",
  series: "series",
  bar: "bar",
  line: "line",
  point: "point",
  grid: "scale",
  gridGroup: "scales",
  gridBackground: "ground",
  vertical: "upright",
  horizontal: "level",
  start: "start",
  end: "end",
};

const KINDS = { bars: drawBars, stacked: drawBars, ranges: drawBars, course: drawCourse };

// Draw the charts that aren't drawn yet.
export function drawCharts() {
  for (const figure of main.querySelectorAll("figure[data-chart]")) {
    const drawn = figure.querySelector(".drawn");
    if (!drawn.firstElementChild) KINDS[figure.dataset.chart](figure, drawn, numbers(figure.querySelector("table")));
  }
}

// The labels of a table's rows, and the columns to draw, each with its name and cells.
function numbers(table) {
  const rows = [...table.tBodies[0].rows].filter((row) => !("leftOut" in row.dataset));
  const columns = [...table.tHead.rows[0].cells]
    .map((head, place) => ({ name: head.dataset.series, cells: rows.map((row) => row.cells[place]) }))
    .filter(({ name }) => name);
  return { labels: rows.map((row) => row.cells[0].textContent), columns };
}

const value = (cell) => Number(cell.dataset.value);

const language = document.documentElement.lang;

// The size of the page's letters, by which a chart's parts are as large as its text.
const em = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

function drawBars(figure, drawn, { labels, columns }) {
  const { chart: kind, unit } = figure.dataset;
  const stacked = kind === "stacked";
  const inRow = stacked ? 1 : columns.length;
  const all = columns.flatMap(({ cells }) => cells);
  const reach = Math.max(1, ...all.map(({ dataset: { low = 0, high = 0 } }) => Math.max(Math.abs(low), Math.abs(high))));
  const longest = Math.max(...labels.map((label) => label.length));
  const chart = new BarChart(
    drawn,
    {
      // The first row is drawn at the bottom.
      labels: [...labels].reverse(),
      series: columns.map(({ name, cells }) => ({ className: `series ${name}`, data: cells.map(value).reverse() })),
    },
    {
      classNames: { ...CLASSES, chart: kind },
      horizontalBars: true,
      stackBars: stacked,
      seriesBarDistance: -em(),
      height: `${em() * (labels.length * (inRow + 0.75) + 2)}px`,
      chartPadding: { top: 0, right: 2.75 * em(), bottom: 0, left: 0 },
      ...(kind === "ranges" ? { low: -reach, high: reach } : { low: 0 }),
      ...(stacked ? { high: 100 } : {}),
      axisX: { offset: 1.5 * em(), scaleMinSpace: 3 * em(), labelInterpolationFnc: (at) => `${at.toLocaleString(language)}${unit}` },
      axisY: { offset: Math.min(0.6 * longest + 0.75, 8) * em(), showGrid: false },
    },
  );
  chart.on("draw", ({ type, index, seriesIndex, group, axisX, chartRect, x2, y2 }) => {
    if (type !== "bar" || stacked) return;
    const cell = columns[seriesIndex].cells.at(-1 - index);
    const { low, high } = cell.dataset;
    const across = (at) => chartRect.x1 + axisX.projectValue(Number(at));
    const ranged = low !== undefined;
    if (ranged) group.elem("line", { x1: across(low), x2: across(high), y1: y2, y2 }, "range");
    const right = ranged ? Math.max(across(high), x2) : x2;
    group.elem("text", { x: right + em() / 4, y: y2, dy: "0.35em" }, "figure").text(cell.textContent.split(" ")[0]);
  });
}

function drawCourse(figure, drawn, { labels, columns }) {
  const every = Math.ceil(labels.length / 6);
  new LineChart(
    drawn,
    { labels, series: columns.map(({ name, cells }) => ({ className: `series ${name}`, data: cells.map(value) })) },
    {
      classNames: { ...CLASSES, chart: "course" },
      showPoint: labels.length === 1,
      lineSmooth: false,
      fullWidth: true,
      height: `${12 * em()}px`,
      chartPadding: { top: em(), right: em(), bottom: 0, left: 0 },
      axisX: { offset: 1.5 * em(), showGrid: false, labelInterpolationFnc: (label, at) => (at % every ? null : label) },
      axisY: { offset: 2.5 * em(), scaleMinSpace: 2 * em(), onlyInteger: true },
    },
  );
}
