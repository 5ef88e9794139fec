import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

class ByQuicktype {
    static final ObjectMapper JSON = new ObjectMapper();

    static String post(String baseUrl, String url) throws Exception {
        var body = HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(Map.of("url", url)));
        var address = URI.create(baseUrl + "/api/check-url");
        var request = HttpRequest.newBuilder(address).header("Content-Type", "application/json").POST(body).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    public static void main(String[] args) throws Exception {
        var result = check.Converter.fromJsonString(post(args[0], args[1]));
        var code = problem.Converter.fromJsonString(post(args[0], "ftp://example.com/")).getCode();
        var dns = result.getAnalysisDetails().getDNSRecords();
        var addresses = dns.getA() == null ? 0 : dns.getA().size();
        var decision = result.getDecision().toValue();
        var told = new Object[] {
            result.getMaliciousProbability(), decision, dns.getStatus().toValue(), addresses, code
        };
        System.out.print(JSON.writeValueAsString(told));
    }
}
