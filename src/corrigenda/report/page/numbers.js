// Numbers as text, and small computations.

const MISSING = "–";

function percent(value, decimals = 2) {
  if (value === null || value === undefined) return MISSING;
  return (100 * value).toFixed(decimals).replace("-", "−");
}

function wholePercent(value) {
  return `${Math.round(100 * value)}\u00a0%`;
}

// Two numbers as a range. With a minus sign it says "to", because a dash would be hard to read.
function between(low, high) {
  return `${percent(low)}${low < 0 || high < 0 ? " to " : " – "}${percent(high)}`;
}

function signed(value, decimals = 2) {
  if (value === null) return MISSING;
  const text = Math.abs(100 * value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return value > 0 ? `+${text}` : `−${text}`;
}

function pText(value) {
  return value < 0.001 ? "<.001" : value.toFixed(3).replace(/^0/, "");
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function pearson(xs, ys) {
  const [x, y] = [mean(xs), mean(ys)];
  let [xy, xx, yy] = [0, 0, 0];
  xs.forEach((value, index) => {
    xy += (value - x) * (ys[index] - y);
    xx += (value - x) ** 2;
    yy += (ys[index] - y) ** 2;
  });
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}

function spearman(xs, ys) {
  return pearson(ranks(xs), ranks(ys));
}

// Ranks from 1; equal values share the mean of their ranks.
function ranks(values) {
  const order = values.map((_, index) => index).sort((a, b) => values[a] - values[b]);
  const result = new Array(values.length);
  for (let begin = 0; begin < order.length; ) {
    let end = begin;
    while (end < order.length && values[order[end]] === values[order[begin]]) end += 1;
    for (let at = begin; at < end; at += 1) result[order[at]] = (begin + end + 1) / 2;
    begin = end;
  }
  return result;
}

function coefficient(value) {
  return value === null ? MISSING : value.toFixed(3).replace("-", "−");
}

// The smallest and the largest value; missing values do not count.
function extent(values) {
  const present = values.filter((value) => value !== null && value !== undefined);
  return [Math.min(...present), Math.max(...present)];
}

function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
