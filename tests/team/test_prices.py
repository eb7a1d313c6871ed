"""Prices: listed by model, overridden by the team's own strict table, unknown ones said to be so."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.control import prices as control
from drumline.errors import BadInput
from drumline.store.manifests import read_text
from drumline.store.prices import OWN, Prices
from drumline.team import price_form, prices
from drumline.team.prices import Price, cost, price_of

pytestmark = pytest.mark.requirement("RUN-06")

A_PRICE = {"input": 1.0, "cached": 0.1, "output": 8.0}
tokens = st.integers(0, 10**9)
listed = st.builds(Price, st.just("x"), st.just("listed"), *[st.integers(0, 10**8)] * 3)


def read(table):
    return price_form.read_prices(read_text(json.dumps(table)), prices.built_in())


def own(tmp_path: Path, text: str) -> Prices:
    (tmp_path / "drumline").mkdir(exist_ok=True)
    (tmp_path / OWN).write_text(text, encoding="utf-8")
    return Prices(str(tmp_path))


def test_the_built_in_table_is_of_its_own_form_and_dated():
    whole = prices.built_in()
    assert price_form.read_prices(read_text(json.dumps(whole)), {})[1] == []
    jsonschema.validate(whole, price_form.schema())
    assert whole["as_of"] >= "2026-11-16"
    assert whole["default"] in whole["models"]


def test_an_unknown_model_is_never_priced_below_a_listed_one():
    table = prices.built_in()
    default = price_of(table, "nobody-listed-this")
    for model in table["models"]:
        found = price_of(table, model)
        assert (default.input, default.output) >= (found.input, found.output)


@pytest.mark.parametrize(
    ("model", "name", "basis"),
    [
        pytest.param("gpt-5.3-codex", "gpt-5.3-codex", "listed", id="as it is listed"),
        pytest.param("openai/gpt-5.3-codex", "gpt-5.3-codex", "listed", id="with its provider"),
        pytest.param("gpt-5.4-2026-03-05", "gpt-5.4", "listed", id="with its date"),
        pytest.param("gpt-99", "gpt-5.5", "unknown", id="nobody listed it"),
        pytest.param("", "gpt-5.5", "unknown", id="nobody named it"),
    ],
)
def test_a_model_has_its_listed_price_or_the_default(model, name, basis):
    found = price_of(prices.built_in(), model)
    assert (found.model, found.basis) == (name, basis)


def test_tokens_are_paid_by_kind_in_whole_micro_usd_rounded_up():
    price = price_of(prices.built_in(), "gpt-5.3-codex")
    assert (price.input, price.cached, price.output) == (1_750_000, 175_000, 14_000_000)
    assert cost(price, 1_000_000, 0, 0) == 1_750_000
    assert cost(price, 0, 1, 0) == 1
    assert cost(price, 0, 0, 0) == 0


@given(listed, tokens, tokens, tokens, tokens)
def test_more_tokens_never_cost_less(price, fresh, cached, output, more):
    assert cost(price, fresh + more, cached, output) >= cost(price, fresh, cached, output)


def test_without_a_file_the_built_in_prices_hold(tmp_path):
    file = Prices(str(tmp_path))
    assert control.in_force(file) == prices.built_in()
    assert control.problems(file) == []


def test_a_team_puts_its_own_prices_on_top(tmp_path):
    table = {"as_of": "2027-01-01", "default": "ours", "models": {"ours": A_PRICE}}
    found = control.in_force(own(tmp_path, json.dumps(table)))
    assert price_of(found, "ours") == Price("ours", "listed", 1_000_000, 100_000, 8_000_000)
    assert price_of(found, "gpt-99") == Price("ours", "unknown", 1_000_000, 100_000, 8_000_000)
    assert price_of(found, "gpt-5.5").input == 5_000_000
    assert found["as_of"] == "2027-01-01"


@pytest.mark.parametrize(
    ("table", "field"),
    [
        pytest.param({"models": {}}, "as_of", id="no date"),
        pytest.param({"as_of": "soon"}, "as_of", id="an odd date"),
        pytest.param({"as_of": "2027-01-01", "colour": "red"}, "colour", id="unknown field"),
        pytest.param({"as_of": "2027-01-01", "default": "ours"}, "default", id="default unpriced"),
        pytest.param(
            {"as_of": "2027-01-01", "models": {"x": {"input": 1, "cached": 0}}},
            "models.x.output",
            id="a price is missing",
        ),
        pytest.param(
            {"as_of": "2027-01-01", "models": {"x": {**A_PRICE, "input": -1}}},
            "models.x.input",
            id="a price below nothing",
        ),
        pytest.param(
            {"as_of": "2027-01-01", "models": {"x": {**A_PRICE, "input": 0.0000001}}},
            "models.x.input",
            id="finer than a millionth",
        ),
        pytest.param(
            {"as_of": "2027-01-01", "models": {"x": {**A_PRICE, "input": True}}},
            "models.x.input",
            id="not a number",
        ),
        pytest.param(
            {"as_of": "2027-01-01", "models": {"a b": A_PRICE}}, "models", id="not a model's name"
        ),
        pytest.param({"as_of": "2027-01-01", "models": []}, "models", id="not a mapping"),
    ],
)
def test_a_table_with_a_mistake_is_refused_with_its_place(tmp_path, table, field):
    assert [problem.field for problem in read(table)[1]] == [field]
    file = own(tmp_path, json.dumps(table))
    assert [problem.field for problem in control.problems(file)] == [field]
    with pytest.raises(BadInput, match=r"drumline/prices\.json has 1 problem") as refused:
        control.in_force(file)
    assert f"drumline/prices.json:1: {field}" in refused.value.why


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00", "a: &x 1\nb: *x"])
def test_a_file_that_is_no_table_is_refused(tmp_path, text):
    with pytest.raises(BadInput):
        control.in_force(own(tmp_path, text))
