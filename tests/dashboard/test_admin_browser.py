"""The operators' admin in a real browser, under the same content security policy as the pages."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By

from nebo.tenants.models import Membership, User
from nebo.tenants.scoping import operator_scope, tenant_scope
from tests.chromium import PHONE, resize, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import PASSWORD, Browser

pytestmark = pytest.mark.browser


def choose(browser: Browser, field: str, wanted: str) -> None:
    """From a list that is searched by what is typed."""
    browser.click(f".field-{field} .select2-selection")
    browser.write(".select2-search__field", wanted)
    browser.click(f"//li[contains(@class, 'select2-results__option') and contains(., '{wanted}')]")


def test_a_member_is_found_by_name_not_by_id(browser: Browser, acme: Team, rival: Team) -> None:
    with operator_scope():
        User.objects.create_superuser("ops@nebo.example", PASSWORD)
    browser.sign_in("ops@nebo.example")

    browser.open("/admin/tenants/membership/add/")
    choose(browser, "user", rival.owner.email)
    choose(browser, "tenant", acme.tenant.name)
    browser.click("input[name=_save]")

    browser.find(".messagelist .success")
    with tenant_scope(acme.tenant):
        emails = Membership.objects.for_tenant(acme.tenant).values_list("user__email", flat=True)
        wait_for(lambda: rival.owner.email in set(emails.all()))


def test_on_a_phone_a_row_is_a_card_with_all_its_columns(browser: Browser, acme: Team) -> None:
    with operator_scope():
        User.objects.create_superuser("ops@nebo.example", PASSWORD)
    browser.sign_in("ops@nebo.example")
    resize(browser.driver, PHONE)

    browser.open("/admin/tenants/tenant/")

    browser.find("#result_list[data-named]")
    cells = browser.driver.find_elements(By.CSS_SELECTOR, "#result_list tbody td[data-label]")
    assert {"Name", "Is active", "Members", "People"} <= {cell.get_attribute("data-label") for cell in cells}
    assert all(0 <= cell.rect["x"] <= cell.rect["x"] + cell.rect["width"] <= PHONE for cell in cells)
