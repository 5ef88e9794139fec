package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"

	"lurecheck/generated/check"
	"lurecheck/generated/problem"
)

func post(baseUrl string, url string) []byte {
	body, _ := json.Marshal(map[string]string{"url": url})
	response, err := http.Post(baseUrl+"/api/check-url", "application/json", strings.NewReader(string(body)))
	if err != nil {
		panic(err)
	}
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	result, err := check.UnmarshalCheckResult(post(os.Args[1], os.Args[2]))
	if err != nil {
		panic(err)
	}
	refusal, err := problem.UnmarshalProblem(post(os.Args[1], "ftp://example.com/"))
	if err != nil {
		panic(err)
	}
	dns := result.AnalysisDetails.DNSRecords
	told := []any{result.MaliciousProbability, result.Decision, dns.Status, len(dns.A), refusal.Code}
	if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
		panic(err)
	}
}
