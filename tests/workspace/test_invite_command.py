"""`manage.py invite`: how the first owner gets in."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from nebo.product.workspace.invitations import find_invitation
from tests.conftest import Team


def test_the_first_owner_of_a_new_team_gets_a_link(committed_db: None) -> None:
    out = StringIO()

    call_command("invite", "--tenant", "initech", "--create", stdout=out)

    (token,) = re.findall(r"/join/#(\S+)", out.getvalue())
    found = find_invitation(token)
    assert found is not None
    assert (found.slug, found.role) == ("initech", "owner")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "options, words",
    [
        (["--tenant", "nowhere"], "Add --create"),
        (["--tenant", "acme", "--user", "alice"], "Another login stands for this person"),
        (["--tenant", "acme", "--user", "a/b"], "printable characters"),
    ],
)
def test_what_it_refuses_it_says_in_a_sentence(acme: Team, options: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("invite", *options)
