import base64
import sys
import urllib.parse
import urllib.request
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

from openapi_client import (
    ApiClient,
    ApiException,
    AuthApi,
    CategoryApi,
    CategoryCreate,
    CategoryUpdate,
    Configuration,
    CustomerApi,
    CustomerCreate,
    CustomerCreateAddress,
    LoginRequest,
    MeasurementApi,
    MeasurementCreate,
    MeasurementKindEnum,
    MeasurementUpdate,
    OrderApi,
    OrderCreate,
    PasswordChangeRequest,
    Problem,
    RecountMeasurementInput,
    RegisterRequest,
    SumMeasurementsInput,
)

host, image = sys.argv[1:]
png = base64.b64decode(image)


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


def problem_of(call, *args, **named) -> Problem:
    """The problem that a call is refused with."""
    try:
        call(*args, **named)
    except ApiException as error:
        assert isinstance(error.data, Problem), error.data
        return error.data
    raise AssertionError("The call was not refused.")


anonymous = ApiClient(Configuration(host=host))
refused = problem_of(MeasurementApi(anonymous).list_measurements)
equal((refused.status, refused.code), (401, "unauthenticated"))

session = AuthApi(anonymous).login(LoginRequest(email="demo@shop.example", password="a lamp for every desk"))
client = ApiClient(Configuration(host=host, access_token=session.access))


def signed_in(access: str) -> AuthApi:
    return AuthApi(ApiClient(Configuration(host=host, access_token=access)))


email, password = "grace@python.example", "a desk for every lamp"
first = AuthApi(anonymous).register(RegisterRequest(email=email, password=password))
second = AuthApi(anonymous).login(LoginRequest(email=email, password=password))
sessions = signed_in(second.access).list_sessions().items
equal(sorted(item.current for item in sessions), [False, True])
signed_in(second.access).end_session(next(item.id for item in sessions if not item.current))
equal(problem_of(signed_in(first.access).get_me).status, 401)
change = PasswordChangeRequest(old_password=password, new_password="a chair for every desk")
changed = signed_in(second.access).change_password(change)
equal(problem_of(AuthApi(anonymous).login, LoginRequest(email=email, password=password)).status, 401)
equal(signed_in(changed.access).get_me().email, email)
signed_in(changed.access).logout_all()
equal(problem_of(signed_in(changed.access).get_me).status, 401)

categories = CategoryApi(client)
name = "Lämps 灯 of python"
category = categories.create_category_form(name, image=("lamp.png", png))
equal(category.description, None)
with urllib.request.urlopen(urllib.parse.urljoin(host, category.image)) as picture:
    equal(picture.read(), png)
described = categories.update_category_form(category.id, description="For desks.")
equal((described.name, described.description), (name, "For desks."))
assert described.image is not None
bare = categories.update_category(category.id, CategoryUpdate(description=None))
equal(bare.description, None)
assert bare.image is not None
taken = problem_of(categories.create_category, CategoryCreate(name=name))
equal((taken.status, taken.code, taken.errors[0].pointer), (409, "unique_conflict", "/name"))
child = categories.create_category(CategoryCreate(name=f"{name} inside", parent_id=category.id))
included = categories.get_category(child.id, include="parent,children")
equal((included.parent.id, included.parent.name, included.children), (category.id, name, []))
below = categories.list_children_of_category(category.id, include="parent(fields=name)")
equal([(item.id, item.parent.name) for item in below.items], [(child.id, name)])
categories.delete_category(child.id)
categories.delete_category(category.id)

measurements = MeasurementApi(client)
amount = "12345678901234567890.12345678901234567891"
counter = 9223372036854775807
taken_at = datetime(2026, 3, 29, 3, 30, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
made = measurements.create_measurement(
    MeasurementCreate(
        title="python",
        amount=amount,
        tolerance=None,
        counter=str(counter),
        taken_at=taken_at,
        day=date(2026, 3, 29),
        kind=MeasurementKindEnum.TIME_OF_DAY,
        is_final=True,
        labels=["a", "b"],
        notes=["c"],
        details={"nested": [1, None, "x"]},
        remark="to be removed",
        batch=UUID("a4c0f7a8-3f3a-4b6e-9d0f-0e7b6a1f2c3d"),
    )
)
assert int(made.id) > 2**53
equal(Decimal(made.amount), Decimal(amount))
equal((made.amount, int(made.counter), made.day), (amount, counter, date(2026, 3, 29)))
# The same instant, with all its digits.
equal(made.taken_at, taken_at)
equal((made.tolerance, made.checked_at, made.reading, made.product_id), (None, None, None, None))
equal((made.details, made.kind), ({"nested": [1, None, "x"]}, MeasurementKindEnum.TIME_OF_DAY))
# A column that the client does not know.
equal(made.additional_properties["added_later"], "by a later version")

q = f"counter=={counter}&title==python&taken_at>={taken_at.isoformat()}"
page = measurements.list_measurements(q, sort=["amount", "id"], order=["desc", "asc"])
equal((page.count, page.items[0].id, page.items[0].amount), (1, made.id, amount))
chosen = measurements.list_measurements(f"id=={made.id}", fields=["title", "kind"]).items[0]
equal((chosen.kind, chosen.amount), (MeasurementKindEnum.TIME_OF_DAY, None))
filtered = measurements.list_measurements(filter={"title": "python", "id": made.id})
equal((filtered.count, filtered.items[0].id), (1, made.id))
counted = measurements.list_measurements(f"id=={made.id}", fields=["label_count"]).items[0]
equal((counted.label_count, made.label_count, chosen.label_count), (2, 2, None))

# A PATCH changes what it names.
patched = measurements.update_measurement(made.id, MeasurementUpdate(unit="m"))
equal(patched.unit, "m")
equal(patched.model_copy(update={"unit": "mm"}), made)
emptied = measurements.update_measurement(made.id, MeasurementUpdate(remark=None, kind=None, notes=None))
equal((emptied.remark, emptied.kind, emptied.notes, emptied.labels), (None, None, None, ["a", "b"]))
equal(measurements.get_measurement(made.id), emptied)

recounted = measurements.recount_measurement(made.id, RecountMeasurementInput(by=-1, note="One less."))
equal((int(recounted.counter), recounted.title), (counter - 1, "python"))
equal(measurements.recount_measurement(made.id, RecountMeasurementInput(by=1)), emptied)
equal(measurements.check_measurement(made.id), emptied)
total = measurements.sum_measurements(SumMeasurementsInput(numbers=[1, 2.5]))
equal((total.sum, total.count), (3.5, 2))
same = problem_of(measurements.recount_measurement, made.id, RecountMeasurementInput(by=0))
equal((same.status, same.code), (403, "forbidden"))

# The client refuses what does not fit before it is sent: this goes around it.
unchecked = MeasurementUpdate.model_construct(_fields_set={"amount"}, amount="1e5")
wrong = problem_of(measurements.update_measurement, made.id, unchecked)
equal((wrong.status, wrong.code, wrong.errors[0].pointer), (422, "invalid_body", "/amount"))

copy = measurements.create_measurement(
    MeasurementCreate(title="python, second", amount="-0.5", counter="0", taken_at=taken_at)
)
equal(copy.unit, "mm")
measurements.delete_measurement(copy.id)
gone = problem_of(measurements.get_measurement, copy.id)
equal((gone.status, gone.code), (404, "not_found"))

customer = CustomerApi(client).create_customer(
    CustomerCreate(
        name="Ada",
        email="Ada@python.example",
        phone=None,
        address=CustomerCreateAddress(street="Lamp Street 1", postcode="12345", city="Town", country="Land"),
    )
)
equal((customer.email, customer.phone, customer.address["city"]), ("ada@python.example", None, "Town"))
order = OrderApi(client).create_order(OrderCreate(customer_id=customer.id, status="paid", weight_kg=1.5))
equal((order.status, order.shipping_fee, order.shipped_at), ("paid", "4.90", None))
print("done")
