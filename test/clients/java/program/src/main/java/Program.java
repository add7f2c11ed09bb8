import java.io.File;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthApi;
import org.openapitools.client.api.CategoryApi;
import org.openapitools.client.api.CustomerApi;
import org.openapitools.client.api.MeasurementApi;
import org.openapitools.client.api.OrderApi;
import org.openapitools.client.model.*;

public class Program {
    interface Call {
        void make() throws ApiException;
    }

    /** The problem that a call is refused with. */
    static Problem problemOf(Call call) throws Exception {
        try {
            call.make();
        } catch (ApiException error) {
            return Problem.fromJson(error.getResponseBody());
        }
        throw new AssertionError("The call was not refused.");
    }

    static void equal(Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) throw new AssertionError(actual + " is not " + expected);
    }

    static void isNull(Object... values) {
        for (Object value : values) equal(value, null);
    }

    public static void main(String[] args) throws Exception {
        String basePath = args[0];
        byte[] png = Base64.getDecoder().decode(args[1]);

        ApiClient anonymous = new ApiClient().setBasePath(basePath);
        Problem refused = problemOf(() ->
            new MeasurementApi(anonymous).listMeasurements(null, null, null, null, null, null, null, null, null, null));
        equal(List.of(refused.getStatus(), refused.getCode()), List.of(401, "unauthenticated"));

        Session session = new AuthApi(anonymous).login(
            new LoginRequest().email("demo@shop.example").password("a lamp for every desk"));
        ApiClient client = new ApiClient().setBasePath(basePath);
        client.setBearerToken(session.getAccess());

        CategoryApi categories = new CategoryApi(client);
        String name = "Lämps 灯 of java";
        File file = Files.createTempFile("lamp", ".png").toFile();
        Files.write(file.toPath(), png);
        CategoryDetail category = categories.createCategoryForm(name, null, null, file);
        isNull(category.getDescription(), category.getParentId());
        equal(category.getName(), name);
        try (InputStream picture = URI.create(basePath).resolve(category.getImage()).toURL().openStream()) {
            equal(Arrays.equals(picture.readAllBytes(), png), true);
        }
        CategoryDetail described =
            categories.updateCategoryForm(category.getId(), null, "For desks.", null, null);
        equal(List.of(described.getName(), described.getDescription()), List.of(name, "For desks."));
        equal(described.getImage() != null, true);
        CategoryDetail child = categories.createCategory(new CategoryCreate().name(name + " child").parentId(category.getId()));
        CategoryDetail included = categories.getCategory(child.getId(), "parent,children");
        equal(included.getParent().getName(), name);
        equal(included.getChildren().size(), 0);
        categories.deleteCategory(child.getId());
        Problem taken = problemOf(() -> categories.createCategory(new CategoryCreate().name(name)));
        equal(List.of(taken.getStatus(), taken.getCode()), List.of(409, "unique_conflict"));
        equal(taken.getErrors().get(0).getPointer(), "/name");
        categories.deleteCategory(category.getId());

        MeasurementApi measurements = new MeasurementApi(client);
        String amount = "12345678901234567890.12345678901234567891";
        String counter = String.valueOf(Long.MAX_VALUE);
        OffsetDateTime takenAt = OffsetDateTime.parse("2026-03-29T03:30:00.123456+02:00");
        MeasurementDetail made = measurements.createMeasurement(new MeasurementCreate()
            .title("java")
            .amount(amount)
            .tolerance(null)
            .counter(counter)
            .takenAt(takenAt)
            .day(LocalDate.of(2026, 3, 29))
            .kind(MeasurementKindEnum.TIME_OF_DAY)
            .isFinal(true)
            .labels(List.of("a", "b"))
            .notes(List.of("c"))
            .details(Map.of("nested", Arrays.asList("x", null)))
            .remark("to be removed")
            .batch(UUID.fromString("a4c0f7a8-3f3a-4b6e-9d0f-0e7b6a1f2c3d")));
        String id = made.getId();
        equal(Long.parseLong(id) > 1L << 53, true);
        equal(new BigDecimal(made.getAmount()), new BigDecimal(amount));
        equal(Long.parseLong(made.getCounter()), Long.MAX_VALUE);
        // The same instant, with all its digits.
        equal(made.getTakenAt().toInstant(), takenAt.toInstant());
        equal(List.of(made.getDay(), made.getKind()), List.of(LocalDate.of(2026, 3, 29), MeasurementKindEnum.TIME_OF_DAY));
        equal(made.getDetails(), Map.of("nested", Arrays.asList("x", null)));
        isNull(made.getTolerance(), made.getCheckedAt(), made.getReading(), made.getProductId());
        // A column that the client does not know.
        equal(made.getAdditionalProperty("added_later"), "by a later version");

        String q = "counter==" + counter + "&title==java&taken_at>=" + takenAt;
        MeasurementPage page = measurements.listMeasurements(
            q, null, null, List.of("amount", "id"), List.of("desc", "asc"), null, null, null, null, null);
        equal(page.getCount(), 1L);
        equal(List.of(page.getItems().get(0).getId(), page.getItems().get(0).getAmount()), List.of(id, amount));
        MeasurementListItem chosen = measurements.listMeasurements(
            "id==" + id, null, null, null, null, List.of("title", "kind"), null, null, null, null).getItems().get(0);
        equal(chosen.getKind(), MeasurementKindEnum.TIME_OF_DAY);
        isNull(chosen.getAmount());
        MeasurementPage filtered = measurements.listMeasurements(
            null, Map.of("title", "java", "id", id), null, null, null, null, null, null, null, null);
        equal(filtered.getCount(), 1L);
        equal(filtered.getItems().get(0).getId(), id);

        // A PATCH changes what it names, not the lists that it leaves out.
        MeasurementDetail patched = measurements.updateMeasurement(id, new MeasurementUpdate().unit("m"));
        equal(patched.getUnit(), "m");
        equal(patched.unit("mm"), made);

        // The client has no null for a PATCH: what a PUT leaves out becomes null.
        MeasurementDetail emptied = measurements.replaceMeasurement(id, new MeasurementReplace()
            .title("java")
            .amount(amount)
            .counter(counter)
            .takenAt(takenAt)
            .day(LocalDate.of(2026, 3, 29))
            .unit("m")
            .isFinal(true)
            .labels(List.of("a", "b"))
            .details(Map.of("nested", Arrays.asList("x", null)))
            .batch(made.getBatch()));
        isNull(emptied.getRemark(), emptied.getKind(), emptied.getNotes());
        equal(emptied.getLabels(), List.of("a", "b"));
        equal(measurements.getMeasurement(id, null), emptied);
        equal(measurements.getMeasurement(id, "product").getProduct(), null);

        Problem wrong = problemOf(() -> measurements.updateMeasurement(
            id, new MeasurementUpdate().amount("1e5").counter("9223372036854775808")));
        equal(List.of(wrong.getStatus(), wrong.getCode()), List.of(422, "invalid_body"));
        equal(wrong.getErrors().stream().map(ProblemIssue::getPointer).toList(), List.of("/amount", "/counter"));

        MeasurementDetail copy = measurements.createMeasurement(
            new MeasurementCreate().title("java, second").amount("-0.5").counter("0").takenAt(takenAt));
        equal(copy.getUnit(), "mm");
        measurements.deleteMeasurement(copy.getId());
        Problem gone = problemOf(() -> measurements.getMeasurement(copy.getId(), null));
        equal(List.of(gone.getStatus(), gone.getCode()), List.of(404, "not_found"));

        CustomerDetail customer = new CustomerApi(client).createCustomer(new CustomerCreate()
            .name("Ada")
            .email("Ada@java.example")
            .address(new CustomerCreateAddress()
                .street("Lamp Street 1").postcode("12345").city("Town").country("Land")));
        equal(customer.getEmail(), "ada@java.example");
        isNull(customer.getPhone());
        equal(((Map<?, ?>) customer.getAddress()).get("city"), "Town");
        OrderDetail order = new OrderApi(client).createOrder(new OrderCreate()
            .customerId(customer.getId()).status(OrderCreate.StatusEnum.PAID).weightKg(1.5));
        equal(List.of(order.getStatus(), order.getShippingFee()), List.of(OrderDetail.StatusEnum.PAID, "4.90"));
        isNull(order.getShippedAt());
        System.out.println("done");
        // The threads of okhttp wait for a minute otherwise.
        System.exit(0);
    }
}
