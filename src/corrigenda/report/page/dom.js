// Elements of the page. Text becomes a text node: no string is ever read as markup.

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
    else if (!isLeftOut(value)) node.setAttribute(name, String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => !isLeftOut(child)));
  return node;
}

function isLeftOut(value) {
  return value === null || value === undefined || value === false;
}

function byId(id) {
  return document.getElementById(id);
}

function replace(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// A label with a select; each option is [value, text].
function choice(label, options, chosen, onchange) {
  const select = element(
    "select",
    { change: (event) => onchange(event.target.value) },
    options.map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
  );
  return element("label", { class: "field" }, element("span", {}, label), select);
}

function paragraph(className, ...children) {
  return element("p", { class: className }, ...children);
}

// Text for screen readers only.
function hiddenText(text) {
  return element("span", { class: "unseen" }, text);
}
