// Records which fields of the data the scripts read. A test puts this at the end of the page's
// script. These two functions replace those of data.js: the last declaration of a name counts.

function readBlock(id) {
  const kind = { summary: "ReportSummary", corpus: "SentenceData" }[id];
  return recording(JSON.parse(byId(id).textContent), { $ref: `#/$defs/${kind}` });
}

function named(kind, row) {
  const record = {};
  ROW_FIELDS[kind].forEach((name, index) => {
    record[name] = row[index] ?? null;
  });
  return recordingObject(record, kind, () => ({}));
}

// Not a constant: data.js reads the summary before the end of the script runs.
function recorded() {
  window.recorded ??= { read: {}, unknown: {}, proxies: new WeakMap() };
  return window.recorded;
}

// The value, watched as far as the schema says that it has objects inside.
function recording(value, schema) {
  if (value === null || typeof value !== "object") return value;
  if (schema.anyOf) return recording(value, schema.anyOf.find((part) => part.type !== "null"));
  if (schema.$ref) {
    const kind = schema.$ref.split("/").at(-1);
    const { type, properties } = schemaOf(kind);
    return type === "object" ? recordingObject(value, kind, (name) => properties[name]) : value;
  }
  return schema.type === "array" && schema.items ? recordingArray(value, schema.items) : value;
}

function schemaOf(kind) {
  return recordedSchema().$defs[kind];
}

function fieldNames(kind) {
  const { properties, prefixItems } = schemaOf(kind);
  return properties ? Object.keys(properties) : prefixItems.map((item) => item.title);
}

// An equal value has an equal proxy, so that scripts can compare objects.
function proxied(value, traps) {
  const { proxies } = recorded();
  if (!proxies.has(value)) proxies.set(value, new Proxy(value, traps));
  return proxies.get(value);
}

function recordingObject(value, kind, schemaOfField) {
  const names = new Set(fieldNames(kind));
  return proxied(value, {
    get(target, name) {
      if (typeof name !== "string") return target[name];
      recorded()[names.has(name) ? "read" : "unknown"][`${kind}.${name}`] = true;
      return recording(target[name], schemaOfField(name) ?? {});
    },
  });
}

function recordingArray(value, items) {
  return proxied(value, {
    get: (target, name) => {
      const isIndex = typeof name === "string" && /^\d+$/.test(name);
      return isIndex ? recording(target[name], items) : target[name];
    },
  });
}
