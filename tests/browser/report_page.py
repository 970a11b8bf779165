"""A report in the browser, in the words of somebody who uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait


class ReportPage:
    """What tests do with the page and see of it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, fragment: str = "") -> None:
        self.driver.get("about:blank")
        self.console()
        self.driver.get(path.as_uri() + fragment)
        self.wait(lambda: self.script("return document.documentElement.dataset.ready") == "yes")

    def wait(self, condition) -> None:
        WebDriverWait(self.driver, 10, poll_frequency=0.05).until(lambda _: condition())

    def script(self, code: str, *arguments: Any) -> Any:
        return self.driver.execute_script(code, *arguments)

    def console(self) -> list[str]:
        """What the console got since it was last looked at."""
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
        """Choose the option of that text in the field of that label."""
        for field in self.all(f"{within} label.field"):
            if field.find_element(By.TAG_NAME, "span").text == label:
                Select(field.find_element(By.TAG_NAME, "select")).select_by_visible_text(text)
                return
        raise AssertionError(f"no field {label!r}")

    def type_into(self, name: str, text: str) -> None:
        """Put text into a field of the filters, all at once, and wait until the list follows."""
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
