import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AuthApi;
import org.openapitools.client.api.MeasurementApi;
import org.openapitools.client.model.*;

public class Program {
    static void equal(Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) throw new AssertionError(actual + " is not " + expected);
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        Session session = new AuthApi(client).login(
            new LoginRequest().email("demo@shop.example").password("a lamp for every desk"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + session.getAccess()));

        MeasurementApi measurements = new MeasurementApi(client);
        MeasurementDetail made = measurements.createMeasurement(new MeasurementCreate()
            .title("java-jackson")
            .amount("1.5")
            .counter("7")
            .takenAt(OffsetDateTime.parse("2026-03-29T03:30:00Z"))
            .details(Map.of("nested", "x"))
            .remark("to be removed"));
        equal(made.getDetails(), Map.of("nested", "x"));
        // The column has a default, which null would not be.
        equal(made.getFacts(), Map.of("from", "the default"));

        MeasurementDetail patched = measurements.updateMeasurement(made.getId(), new MeasurementUpdate().unit("m"));
        equal(patched.getUnit(), "m");
        equal(patched.getDetails(), Map.of("nested", "x"));
        equal(patched.getFacts(), Map.of("from", "the default"));

        MeasurementDetail emptied =
            measurements.updateMeasurement(made.getId(), new MeasurementUpdate().details(null).remark(null));
        equal(emptied.getDetails(), null);
        equal(emptied.getRemark(), null);
        System.out.println("done");
    }
}
