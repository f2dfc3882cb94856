// Pays with a client that ogen generated from docs/openapi.json, asks again with the same key, and reads the payment.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ogen-go/ogen/ogenerrors"

	"example.com/program/teller"
)

// Beyond every signed 64-bit integer, and beyond what a float holds.
const memoID = teller.MemoId(18446744073709551615)

type login struct{ token string }

func (login) APIKey(context.Context, teller.OperationName) (teller.APIKey, error) {
	return teller.APIKey{}, ogenerrors.ErrSkipClientSecurity
}

func (login) Browser(context.Context, teller.OperationName) (teller.Browser, error) {
	return teller.Browser{}, ogenerrors.ErrSkipClientSecurity
}

func (own login) Login(context.Context, teller.OperationName) (teller.Login, error) {
	return teller.Login{Token: own.token}, nil
}

func main() {
	client, err := teller.NewClient(os.Getenv("TELLER_URL"), login{os.Getenv("TELLER_TOKEN")})
	expect(err == nil, "a client: %v", err)
	wallet := os.Getenv("WALLET_ID")
	order := &teller.WithdrawBody{
		Destination:   os.Getenv("DESTINATION"),
		AmountStroops: 12345678,
		MemoID:        teller.NewOptNilMemoId(memoID),
	}
	key := teller.CreateWithdrawalParams{ID: wallet, IdempotencyKey: os.Getenv("IDEMPOTENCY_KEY")}

	answer, err := client.CreateWithdrawal(context.Background(), order, key)
	paid, ok := answer.(*teller.CreateWithdrawalCreated)
	expect(err == nil && ok, "201: %v %+v", err, answer)
	withdrawal := paid.Response.Data
	expect(withdrawal.Status == teller.WithdrawalStatusConfirmed, "confirmed: %s", withdrawal.Status)

	answer, err = client.CreateWithdrawal(context.Background(), order, key)
	again, ok := answer.(*teller.WithdrawalErrorHeaders)
	expect(err == nil && ok, "409: %v %+v", err, answer)
	expect(again.Response.Error.Code == "idempotency_key_reused", "the code: %s", again.Response.Error.Code)
	expect(again.Response.Data.Value.ID == withdrawal.ID, "the same payment: %s", again.Response.Data.Value.ID)

	read, err := client.GetWithdrawal(context.Background(), teller.GetWithdrawalParams{ID: wallet, WithdrawalID: withdrawal.ID})
	found, ok := read.(*teller.WithdrawalAnswerHeaders)
	expect(err == nil && ok, "200: %v %+v", err, read)
	data := found.Response.Data
	expect(data.AmountStroops == 12345678 && data.MemoID.Value == memoID, "exact integers: %+v", data)
	fmt.Println(data.StellarTxHash.Value)
}

func expect(ok bool, format string, values ...any) {
	if !ok {
		fmt.Fprintf(os.Stderr, "expected "+format+"\n", values...)
		os.Exit(1)
	}
}
