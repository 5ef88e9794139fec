import json
import sys
import urllib.error
import urllib.request

from generated.check_result import check_result_from_dict
from generated.problem import problem_from_dict


def post(base_url, url):
    body = json.dumps({"url": url}).encode()
    headers = {"Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(base_url + "/api/check-url", body, headers))


base_url, url = sys.argv[1:3]
result = check_result_from_dict(json.load(post(base_url, url)))
try:
    post(base_url, "ftp://example.com/")
except urllib.error.HTTPError as refusal:
    code = problem_from_dict(json.load(refusal)).code.value
dns = result.analysis_details.dns_records
json.dump([result.malicious_probability, result.decision.value, dns.status.value, len(dns.a or []), code], sys.stdout)
