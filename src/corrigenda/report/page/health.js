// A box on top of the page: what makes the scores doubtful. Without findings there is no box.

function showHealth() {
  if (summary.health.length === 0) return;
  byId("health-body").append(
    element("ul", { class: "findings" }, summary.health.map(healthNote)),
  );
  byId("health").hidden = false;
}

function healthNote(finding) {
  const lines = finding.lines.length > 0 ? ` Lines: ${finding.lines.join(", ")}.` : "";
  return element(
    "li",
    {},
    element("strong", {}, `${finding.subject}: ${finding.code}`),
    ` – ${finding.message}${lines} ${finding.remedy}`,
  );
}
