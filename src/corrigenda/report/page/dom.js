// Elements of the page. Text becomes a text node and nothing else: no string is ever read as markup.

function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function byId(id) {
  return document.getElementById(id);
}

function replace(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// A label with a select; options are [value, text] or {label, options} for a group of them.
function choice(label, options, chosen, onchange) {
  const option = ([value, text]) => element("option", { value, selected: value === chosen }, text);
  const select = element(
    "select",
    { change: (event) => onchange(event.target.value) },
    options.map((item) =>
      Array.isArray(item) ? option(item) : element("optgroup", { label: item.label }, item.options.map(option)),
    ),
  );
  return element("label", { class: "field" }, element("span", {}, label), select);
}

function hiddenText(text) {
  return element("span", { class: "unseen" }, text);
}
