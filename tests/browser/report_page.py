"""A report in the browser: what a reader does with the page and sees on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# One script per action: every call of the driver is a round trip to the browser.
CHOOSE = """
const [within, label, text] = arguments;
const fields = [...document.querySelectorAll(`${within} label.field`)];
const field = fields.find((node) => node.firstChild.textContent === label);
if (!field) return `no field ${label}`;
const select = field.querySelector("select");
if (!select.checkVisibility()) return `the field ${label} is not visible`;
const option = [...select.options].find((node) => node.textContent === text);
if (!option) return `no option ${text}`;
select.focus();
select.value = option.value;
select.dispatchEvent(new Event("change", { bubbles: true }));
"""


class ReportPage:
    """The page, by the driver of a browser."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, fragment: str = "") -> None:
        # An address that differs only in its fragment does not load the page again.
        if fragment or "#" in self.driver.current_url:
            self.driver.get("about:blank")
        self.console()
        self.driver.get(path.as_uri() + fragment)
        try:
            self.wait(lambda: self.script("return document.documentElement.dataset.ready") == "yes")
        except TimeoutException:
            raise AssertionError(f"the page is not ready: {self.console()}") from None

    def wait(self, condition: Callable[[], bool]) -> None:
        WebDriverWait(self.driver, 10, poll_frequency=0.02).until(lambda _: condition())

    def script(self, code: str, *arguments: Any) -> Any:
        return self.driver.execute_script(code, *arguments)

    def console(self) -> list[str]:
        """The messages of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return self.script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText.trim())",
            selector,
        )

    def choose(self, label: str, text: str, within: str = "#filters") -> None:
        """Choose the option with this text in the field with this label."""
        problem = self.script(CHOOSE, within, label, text)
        assert problem is None, problem

    def type_into(self, name: str, text: str) -> None:
        """Put text into a field of the filters, and wait until the list follows."""
        self.script("document.querySelector('#list').firstChild.old = true")
        field = self.find(f"#filters input[name={name}]")
        self.script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            field,
            text,
        )
        self.wait(lambda: self.script("return !document.querySelector('#list').firstChild.old"))

    def count(self) -> str:
        return self.find("#count").text

    def listed(self) -> list[int]:
        """The numbers of the sentences on this page of the list."""
        return [int(line.split()[-1]) for line in self.texts("#list .opener .line")]

    def press(self, *keys: str) -> None:
        for key in keys:
            self.script("return document.activeElement || document.body").send_keys(key)

    def press_enter(self) -> None:
        self.press(Keys.ENTER)

    def screen(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, scheme: str, media: str = "") -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": media, "features": features}
        )

    def normal_screen(self) -> None:
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})

    def colour(self, selector: str, name: str = "color") -> tuple[int, ...]:
        text = self.script(
            "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]",
            selector,
            name,
        )
        return tuple(int(part) for part in text[text.index("(") + 1 : -1].split(",")[:3])
