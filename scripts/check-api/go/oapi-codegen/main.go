// Pays with a client that oapi-codegen generated from docs/openapi.json, asks again with the same key, and reads the payment.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/program/teller"
)

// Beyond every signed 64-bit integer, and beyond what a float holds.
const memoID = teller.MemoId(18446744073709551615)

func main() {
	client, err := teller.NewClientWithResponses(os.Getenv("TELLER_URL"), teller.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("TELLER_TOKEN"))
			return nil
		}))
	expect(err == nil, "a client: %v", err)
	memo := memoID
	wallet := os.Getenv("WALLET_ID")
	order := teller.WithdrawBody{Destination: os.Getenv("DESTINATION"), AmountStroops: 12345678, MemoId: &memo}
	key := &teller.CreateWithdrawalParams{IdempotencyKey: os.Getenv("IDEMPOTENCY_KEY")}

	paid, err := client.CreateWithdrawalWithResponse(context.Background(), wallet, key, order)
	expect(err == nil && paid.JSON201 != nil, "201: %v %s", err, body(paid))
	withdrawal := paid.JSON201.Data
	expect(withdrawal.Status == teller.WithdrawalStatusConfirmed, "confirmed: %s", withdrawal.Status)

	again, err := client.CreateWithdrawalWithResponse(context.Background(), wallet, key, order)
	expect(err == nil && again.JSON409 != nil && again.JSON409.Data != nil, "409: %v %s", err, body(again))
	expect(again.JSON409.Error.Code == "idempotency_key_reused", "the code: %s", again.JSON409.Error.Code)
	expect(again.JSON409.Data.Id == withdrawal.Id, "the same payment: %s", again.JSON409.Data.Id)

	read, err := client.GetWithdrawalWithResponse(context.Background(), wallet, withdrawal.Id, nil)
	expect(err == nil && read.JSON200 != nil, "200: %v", err)
	found := read.JSON200.Data
	expect(found.AmountStroops == 12345678 && found.MemoId != nil && *found.MemoId == memoID, "exact integers: %v", found)
	fmt.Println(*found.StellarTxHash)
}

func body(answer *teller.CreateWithdrawalResponse) []byte {
	if answer == nil {
		return nil
	}
	return answer.Body
}

func expect(ok bool, format string, values ...any) {
	if !ok {
		fmt.Fprintf(os.Stderr, "expected "+format+"\n", values...)
		os.Exit(1)
	}
}
