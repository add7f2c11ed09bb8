package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"time"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func equal(actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		panic(fmt.Sprintf("%#v is not %#v", actual, expected))
	}
}

// The problem that a call is refused with.
func problemOf(_ any, _ *http.Response, err error) client.Problem {
	var refusal *client.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		panic(fmt.Sprintf("The call was not refused: %v", err))
	}
	return refusal.Model().(client.Problem)
}

func main() {
	base, err := url.Parse(os.Args[1])
	check(err)
	png, err := base64.StdEncoding.DecodeString(os.Args[2])
	check(err)

	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: base.String()}}
	api := client.NewAPIClient(configuration)
	ctx := context.Background()

	refused := problemOf(api.MeasurementAPI.ListMeasurements(ctx).Execute())
	equal([]any{refused.Status, refused.Code}, []any{int32(401), "unauthenticated"})

	login := client.NewLoginRequest("a lamp for every desk")
	login.SetEmail("demo@shop.example")
	session, _, err := api.AuthAPI.Login(ctx).LoginRequest(*login).Execute()
	check(err)
	ctx = context.WithValue(ctx, client.ContextAccessToken, session.Access)

	name := "Lämps 灯 of go"
	file, err := os.CreateTemp("", "lamp*.png")
	check(err)
	_, err = file.Write(png)
	check(err)
	_, err = file.Seek(0, io.SeekStart)
	check(err)
	category, _, err := api.CategoryAPI.CreateCategoryForm(ctx).Name(name).Image(file).Execute()
	check(err)
	equal(category.Name, name)
	equal(category.Description.Get(), (*string)(nil))
	where, err := base.Parse(*category.Image.Get())
	check(err)
	reply, err := http.Get(where.String())
	check(err)
	picture, err := io.ReadAll(reply.Body)
	check(err)
	equal(bytes.Equal(picture, png), true)
	described, _, err := api.CategoryAPI.UpdateCategoryForm(ctx, category.Id).Description("For desks.").Execute()
	check(err)
	equal([]any{described.Name, *described.Description.Get()}, []any{name, "For desks."})
	equal(described.Image.Get() != nil, true)
	change := client.NewCategoryUpdate()
	change.SetDescriptionNil()
	bare, _, err := api.CategoryAPI.UpdateCategory(ctx, category.Id).CategoryUpdate(*change).Execute()
	check(err)
	equal(bare.Description.Get(), (*string)(nil))
	equal(bare.Image.Get() != nil, true)
	child := client.NewCategoryCreate(name + " child")
	child.SetParentId(category.Id)
	nested, _, err := api.CategoryAPI.CreateCategory(ctx).CategoryCreate(*child).Execute()
	check(err)
	included, _, err := api.CategoryAPI.GetCategory(ctx, nested.Id).Include("parent,children").Execute()
	check(err)
	equal([]any{*included.Parent.Get().Name, len(included.Children)}, []any{name, 0})
	_, err = api.CategoryAPI.DeleteCategory(ctx, nested.Id).Execute()
	check(err)
	taken := problemOf(api.CategoryAPI.CreateCategory(ctx).CategoryCreate(*client.NewCategoryCreate(name)).Execute())
	equal([]any{taken.Status, taken.Code, *taken.Errors[0].Pointer}, []any{int32(409), "unique_conflict", "/name"})
	_, err = api.CategoryAPI.DeleteCategory(ctx, category.Id).Execute()
	check(err)

	amount := "12345678901234567890.12345678901234567891"
	counter := strconv.FormatInt(math.MaxInt64, 10)
	takenAt, err := time.Parse(time.RFC3339Nano, "2026-03-29T03:30:00.123456+02:00")
	check(err)
	asked := client.NewMeasurementCreate("go", amount, counter, takenAt)
	asked.SetToleranceNil()
	asked.SetDay("2026-03-29")
	asked.SetKind(client.MEASUREMENTKINDENUM_TIME_OF_DAY)
	asked.SetIsFinal(true)
	asked.SetLabels([]string{"a", "b"})
	asked.SetNotes([]string{"c"})
	asked.SetDetails(map[string]any{"nested": []any{"x", nil}})
	asked.SetRemark("to be removed")
	asked.SetBatch("a4c0f7a8-3f3a-4b6e-9d0f-0e7b6a1f2c3d")
	made, _, err := api.MeasurementAPI.CreateMeasurement(ctx).MeasurementCreate(*asked).Execute()
	check(err)
	id, err := strconv.ParseInt(made.Id, 10, 64)
	check(err)
	equal(id > 1<<53, true)
	value, ok := new(big.Rat).SetString(made.Amount)
	equal(ok, true)
	expected, _ := new(big.Rat).SetString(amount)
	equal(value.Cmp(expected), 0)
	equal(made.Counter, counter)
	// The same instant, with all its digits.
	equal(made.TakenAt.Equal(takenAt), true)
	equal([]any{*made.Day.Get(), *made.Kind.Get()}, []any{"2026-03-29", client.MEASUREMENTKINDENUM_TIME_OF_DAY})
	equal(made.Details, map[string]any{"nested": []any{"x", nil}})
	equal([]bool{made.Tolerance.Get() == nil, made.CheckedAt.Get() == nil, made.Reading.Get() == nil}, []bool{true, true, true})
	// A column that the client does not know.
	equal(made.AdditionalProperties["added_later"], "by a later version")

	q := "counter==" + counter + "&title==go&taken_at>=" + takenAt.Format(time.RFC3339Nano)
	page, _, err := api.MeasurementAPI.ListMeasurements(ctx).Q(q).
		Sort([]string{"amount", "id"}).Order([]string{"desc", "asc"}).Execute()
	check(err)
	equal(*page.Count.Get(), int64(1))
	equal([]any{page.Items[0].Id, *page.Items[0].Amount}, []any{made.Id, amount})
	chosen, _, err := api.MeasurementAPI.ListMeasurements(ctx).Q("id==" + made.Id).Fields([]string{"title", "kind"}).Execute()
	check(err)
	equal([]any{*chosen.Items[0].Kind.Get(), chosen.Items[0].Amount}, []any{client.MEASUREMENTKINDENUM_TIME_OF_DAY, (*string)(nil)})
	filtered, _, err := api.MeasurementAPI.ListMeasurements(ctx).
		Filter(map[string]string{"title": "go", "id": made.Id}).Execute()
	check(err)
	equal([]any{*filtered.Count.Get(), filtered.Items[0].Id}, []any{int64(1), made.Id})

	// A PATCH changes what it names.
	unit := client.NewMeasurementUpdate()
	unit.SetUnit("m")
	patched, _, err := api.MeasurementAPI.UpdateMeasurement(ctx, made.Id).MeasurementUpdate(*unit).Execute()
	check(err)
	equal(patched.Unit, "m")
	patched.Unit = "mm"
	equal(patched, made)
	nulls := client.NewMeasurementUpdate()
	nulls.SetRemarkNil()
	nulls.SetKindNil()
	emptied, _, err := api.MeasurementAPI.UpdateMeasurement(ctx, made.Id).MeasurementUpdate(*nulls).Execute()
	check(err)
	equal([]bool{emptied.Remark.Get() == nil, emptied.Kind.Get() == nil}, []bool{true, true})
	equal(emptied.Labels, []string{"a", "b"})
	// Lists have no null in a PATCH: what a PUT leaves out becomes null.
	whole := client.NewMeasurementReplace("go", amount, counter, takenAt)
	whole.SetDay("2026-03-29")
	whole.SetUnit("m")
	whole.SetIsFinal(true)
	whole.SetLabels([]string{"a", "b"})
	whole.SetDetails(emptied.Details)
	whole.SetBatch("a4c0f7a8-3f3a-4b6e-9d0f-0e7b6a1f2c3d")
	replaced, _, err := api.MeasurementAPI.ReplaceMeasurement(ctx, made.Id).MeasurementReplace(*whole).Execute()
	check(err)
	equal(replaced.Notes, []string(nil))
	again, _, err := api.MeasurementAPI.GetMeasurement(ctx, made.Id).Execute()
	check(err)
	equal(again, replaced)

	change2 := client.NewMeasurementUpdate()
	change2.SetAmount("1e5")
	change2.SetCounter("9223372036854775808")
	wrong := problemOf(api.MeasurementAPI.UpdateMeasurement(ctx, made.Id).MeasurementUpdate(*change2).Execute())
	equal([]any{wrong.Status, wrong.Code}, []any{int32(422), "invalid_body"})
	equal([]any{*wrong.Errors[0].Pointer, *wrong.Errors[1].Pointer}, []any{"/amount", "/counter"})

	second := client.NewMeasurementCreate("go, second", "-0.5", "0", takenAt)
	copied, _, err := api.MeasurementAPI.CreateMeasurement(ctx).MeasurementCreate(*second).Execute()
	check(err)
	equal(copied.Unit, "mm")
	_, err = api.MeasurementAPI.DeleteMeasurement(ctx, copied.Id).Execute()
	check(err)
	gone := problemOf(api.MeasurementAPI.GetMeasurement(ctx, copied.Id).Execute())
	equal([]any{gone.Status, gone.Code}, []any{int32(404), "not_found"})

	ada := client.NewCustomerCreate("Ada", "Ada@go.example")
	ada.SetPhoneNil()
	ada.SetAddress(*client.NewCustomerCreateAddress("Lamp Street 1", "12345", "Town", "Land"))
	customer, _, err := api.CustomerAPI.CreateCustomer(ctx).CustomerCreate(*ada).Execute()
	check(err)
	equal([]any{customer.Email, customer.Phone.Get()}, []any{"ada@go.example", (*string)(nil)})
	equal(customer.Address.(map[string]any)["city"], "Town")
	paid := client.NewOrderCreate(customer.Id)
	paid.SetStatus("paid")
	paid.SetWeightKg(1.5)
	order, _, err := api.OrderAPI.CreateOrder(ctx).OrderCreate(*paid).Execute()
	check(err)
	equal([]any{order.Status, order.ShippingFee, order.ShippedAt.Get()}, []any{"paid", "4.90", (*time.Time)(nil)})
	fmt.Println("done")
}
