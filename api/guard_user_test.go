package api_test

var _ = guard("updateUser", example{
	good: func(*table, string, string) request {
		return request{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`}
	},
})
