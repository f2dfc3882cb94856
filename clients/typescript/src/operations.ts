// Written by scripts/client.ts from docs/openapi.json.
import type { Csv } from './csv.ts';
import { type Body, type CsvQuery, type Data, Group, type Item, type Query } from './group.ts';
import type { Pages } from './pages.ts';
import type { CallOptions, Send } from './transport.ts';

export class ServiceOperations extends Group {
  /**
   * Check liveness.
   *
   * 200 while the process responds.
   */
  health(options: CallOptions = {}): Promise<Data<'healthz'>> {
    return this.dataOf('healthz', {}, {}, options);
  }

  /**
   * Check readiness.
   *
   * 200 while database, network and the reading of deposits work. The other checks leave the status at
   * 200. The same path on METRICS_PORT has the reasons.
   */
  ready(options: CallOptions = {}): Promise<Data<'readyz'>> {
    return this.dataOf('readyz', {}, {}, options);
  }

  /**
   * Get service.
   *
   * Version of the service, its Stellar network, and the protocols that both know.
   */
  get(options: CallOptions = {}): Promise<Data<'getService'>> {
    return this.dataOf('getService', {}, {}, options);
  }
}

export class SandboxOperations extends Group {
  /**
   * Pay on sandbox.
   *
   * Only on the sandbox: pays an address from a funded test account, like a customer. A test asset is
   * paid by its issuer.
   */
  pay(body: Body<'payOnSandbox'>, options: CallOptions = {}): Promise<Data<'payOnSandbox'>> {
    return this.dataOf('payOnSandbox', {}, body, options);
  }
}

export class SessionsOperations extends Group {
  /**
   * List sessions.
   *
   * Lists the open sessions of the user, newest first.
   */
  list(query: Query<'listSessions'> = {}, options: CallOptions = {}): Pages<Item<'listSessions'>> {
    return this.pagesOf('listSessions', {}, query, options);
  }

  /**
   * End other sessions.
   *
   * Ends every session of the user but the one of this request, at once.
   */
  endOthers(options: CallOptions = {}): Promise<Data<'endOtherSessions'>> {
    return this.dataOf('endOtherSessions', {}, {}, options);
  }

  /**
   * Get session.
   *
   * An open session of the caller.
   */
  get(session_id: string, options: CallOptions = {}): Promise<Data<'getSession'>> {
    return this.dataOf('getSession', {session_id}, {}, options);
  }

  /**
   * End session.
   *
   * Ends one session of the user at once. Its token is refused from then on.
   */
  end(session_id: string, options: CallOptions = {}): Promise<Data<'endSession'>> {
    return this.dataOf('endSession', {session_id}, {}, options);
  }
}

export class AuthOperations extends Group {
  /**
   * Renew login token.
   *
   * Gives a program a new login token of the same session. The old token stays valid until its own end,
   * or until a minute after the new one is first used: a program that loses the answer renews again. A
   * session cannot be renewed beyond `session_ends_at`: log in again then.
   */
  renewToken(options: CallOptions = {}): Promise<Data<'renewToken'>> {
    return this.dataOf('renewToken', {}, {}, options);
  }

  /**
   * Log in.
   *
   * Checks e-mail and password of a dashboard user and gives a login token. Sets a device cookie, by
   * which the browser is known at the next login; it is no credential. After ten failed logins on an
   * account the next attempt must wait, at most a minute: 429 `too_many_logins` with Retry-After.
   * Failures of others do not delay a known browser; a program that keeps no cookie waits with
   * everybody else. For a user with a second factor: 401 `second_factor_required`, and `data` has a
   * challenge for `POST /v1/auth/second-factor`.
   */
  login(body: Body<'login'>, options: CallOptions = {}): Promise<Data<'login'>> {
    return this.dataOf('login', {}, body, options);
  }

  /**
   * Log in: second factor.
   *
   * Answers the challenge of a login, within five minutes, with one of `totp`, `passkey` and
   * `recovery_code`. The answer is that of the login. After 100 failures in a row, codes of an
   * authenticator app are refused: 403 `second_factor_stopped`.
   */
  proveSecondFactor(body: Body<'proveSecondFactor'>, options: CallOptions = {}): Promise<Data<'proveSecondFactor'>> {
    return this.dataOf('proveSecondFactor', {}, body, options);
  }

  /**
   * Log out.
   *
   * Ends the session of the login token, or of the cookie, at once.
   */
  logout(options: CallOptions = {}): Promise<Data<'logout'>> {
    return this.dataOf('logout', {}, {}, options);
  }

  /**
   * Get current user.
   *
   * The user or service user of the login token, the team, and what they may do in it.
   */
  me(options: CallOptions = {}): Promise<Data<'getMe'>> {
    return this.dataOf('getMe', {}, {}, options);
  }

  /**
   * Change password.
   *
   * Replaces the password of the user. Every other session of the user ends, and no other browser is
   * known any more. A new password that is common, or contains only the e-mail address or the name of
   * this service, is refused with 400.
   */
  changePassword(body: Body<'changePassword'>, options: CallOptions = {}): Promise<Data<'changePassword'>> {
    return this.dataOf('changePassword', {}, body, options);
  }

  /**
   * Prove second factor.
   *
   * Proves a second factor for this session. Operations with `x-step-up` are allowed for ten minutes
   * from then on. A login with a second factor counts too.
   */
  stepUp(body: Body<'stepUp'> = {}, options: CallOptions = {}): Promise<Data<'stepUp'>> {
    return this.dataOf('stepUp', {}, body, options);
  }

  /**
   * Begin with passkey.
   *
   * What the browser needs to ask for a passkey. Its answer counts once, within five minutes.
   */
  beginPasskeyStepUp(options: CallOptions = {}): Promise<Data<'beginPasskeyStepUp'>> {
    return this.dataOf('beginPasskeyStepUp', {}, {}, options);
  }

  /**
   * Read invitation.
   *
   * Who invites whom to which team, before the invitation is accepted. Only a browser with a device
   * cookie learns whether it is known to a user with the e-mail address. An invitation that was
   * revoked, or expired a month ago, is not found. After a hundred tokens that open no invitation the
   * addresses of the caller must wait.
   */
  readInvitation(body: Body<'readInvitation'>, options: CallOptions = {}): Promise<Data<'readInvitation'>> {
    return this.dataOf('readInvitation', {}, body, options);
  }

  /**
   * Accept invitation.
   *
   * Makes the invited e-mail address a member, and logs in. A new user gives a name and chooses a
   * password. Without a `name`, a user gives the password they have, and leaves a team of one that has
   * no wallets. A user with a second factor gets a challenge as at a login, and sends the same again
   * with `challenge` and one of `totp`, `passkey` and `recovery_code`.
   */
  acceptInvitation(body: Body<'acceptInvitation'>, options: CallOptions = {}): Promise<Data<'acceptInvitation'>> {
    return this.dataOf('acceptInvitation', {}, body, options);
  }

  /**
   * Get token of service user.
   *
   * Exchanges the credential of a service user for a login token of minutes (RFC 6749, 4.4): its
   * secret, by HTTP Basic or in the body, or an assertion that its key has signed (`private_key_jwt`,
   * RFC 7523; `aud` is PUBLIC_URL alone, `exp` is at most 300 seconds after `iat`, and each `jti` works
   * once). Use one way only. Ask again when the token ends. A request in a form gets errors as RFC 6749
   * says: `error` is a word, `error_description` says more.
   */
  serviceToken(body: Body<'getServiceToken'>, options: CallOptions = {}): Promise<Data<'getServiceToken'>> {
    return this.dataOf('getServiceToken', {}, body, options);
  }
}

export class FactorsOperations extends Group {
  /**
   * Read second factors.
   *
   * The second factors of the user, and how many recovery codes are left.
   */
  get(options: CallOptions = {}): Promise<Data<'getFactors'>> {
    return this.dataOf('getFactors', {}, {}, options);
  }

  /**
   * Rename factor.
   *
   * Changes the name under which the user finds the factor.
   */
  rename(factor_id: string, body: Body<'renameFactor'>, options: CallOptions = {}): Promise<Data<'renameFactor'>> {
    return this.dataOf('renameFactor', {factor_id}, body, options);
  }

  /**
   * Remove factor.
   *
   * Every other session of the user ends. With the last factor the recovery codes go too; 409
   * `last_factor` while the team requires one.
   */
  remove(factor_id: string, options: CallOptions = {}): Promise<Data<'removeFactor'>> {
    return this.dataOf('removeFactor', {factor_id}, {}, options);
  }

  /**
   * Replace recovery codes.
   *
   * Gives ten new recovery codes, once. The codes from before are refused.
   */
  replaceRecoveryCodes(options: CallOptions = {}): Promise<Data<'replaceRecoveryCodes'>> {
    return this.dataOf('replaceRecoveryCodes', {}, {}, options);
  }

  /**
   * Begin authenticator app.
   *
   * Gives the secret for an authenticator app (TOTP), once. It becomes a factor when a code of the app
   * is confirmed.
   */
  beginTotp(body: Body<'beginTotp'>, options: CallOptions = {}): Promise<Data<'beginTotp'>> {
    return this.dataOf('beginTotp', {}, body, options);
  }

  /**
   * Confirm authenticator app.
   *
   * Every other session of the user ends.
   */
  confirmTotp(factor_id: string, body: Body<'confirmTotp'>, options: CallOptions = {}): Promise<Data<'confirmTotp'>> {
    return this.dataOf('confirmTotp', {factor_id}, body, options);
  }

  /**
   * Begin passkey.
   *
   * What the browser needs to make a passkey. Its answer counts once, within five minutes.
   */
  beginPasskey(body: Body<'beginPasskey'> = {}, options: CallOptions = {}): Promise<Data<'beginPasskey'>> {
    return this.dataOf('beginPasskey', {}, body, options);
  }

  /**
   * Add passkey.
   *
   * Every other session of the user ends.
   */
  addPasskey(body: Body<'addPasskey'>, options: CallOptions = {}): Promise<Data<'addPasskey'>> {
    return this.dataOf('addPasskey', {}, body, options);
  }
}

export class TeamOperations extends Group {
  /**
   * Read team.
   *
   * The team that the user is in. It owns the wallets.
   */
  get(options: CallOptions = {}): Promise<Data<'getTeam'>> {
    return this.dataOf('getTeam', {}, {}, options);
  }

  /**
   * Change team.
   *
   * Renames the team; `second_factor_required`: whether its members need a second factor for operations
   * with `x-step-up`. Only an owner who has one decides that.
   */
  change(body: Body<'changeTeam'> = {}, options: CallOptions = {}): Promise<Data<'changeTeam'>> {
    return this.dataOf('changeTeam', {}, body, options);
  }

  /**
   * List members.
   *
   * Lists the members of the team, or its former members, newest user first.
   */
  listMembers(query: Query<'listMembers'> = {}, options: CallOptions = {}): Pages<Item<'listMembers'>> {
    return this.pagesOf('listMembers', {}, query, options);
  }

  /**
   * Add member.
   *
   * Makes a user with a password that you choose and tell them. An invitation lets them choose it
   * themselves. Another team may have a user with the same e-mail: nothing tells. An admin cannot make
   * owners.
   */
  addMember(body: Body<'addMember'>, options: CallOptions = {}): Promise<Data<'addMember'>> {
    return this.dataOf('addMember', {}, body, options);
  }

  /**
   * Change rights of member.
   *
   * The rights hold for the next request of the member. A member who becomes an owner or admin uses
   * every wallet.
   */
  changeMember(user_id: string, body: Body<'changeMember'> = {}, options: CallOptions = {}): Promise<Data<'changeMember'>> {
    return this.dataOf('changeMember', {user_id}, body, options);
  }

  /**
   * Remove member, or leave.
   *
   * Ends the membership and every session of the user, who cannot log in until a team invites them.
   * Everyone may leave, but for the last owner. Service users whose credentials the user knows go on:
   * the answer lists them, so that their credentials can be replaced.
   */
  removeMember(user_id: string, options: CallOptions = {}): Promise<Data<'removeMember'>> {
    return this.dataOf('removeMember', {user_id}, {}, options);
  }

  /**
   * List invitations.
   *
   * Lists the invitations that can still be accepted, newest first.
   */
  listInvitations(query: Query<'listInvitations'> = {}, options: CallOptions = {}): Pages<Item<'listInvitations'>> {
    return this.pagesOf('listInvitations', {}, query, options);
  }

  /**
   * Invite.
   *
   * The link makes this e-mail address a member, once, within 7 days. A service with a mail server
   * sends it to the address (`mailed`), at most once an hour to one address; otherwise it is shown in
   * this response, once. A team has at most 50 invitations that are open or of the last 24 hours, 3 of
   * them of one e-mail. An admin cannot invite owners.
   */
  createInvitation(body: Body<'createInvitation'> & { idempotency_key?: string }, options: CallOptions = {}): Promise<Data<'createInvitation'>> {
    return this.dataOf('createInvitation', {}, body, options);
  }

  /**
   * Revoke invitation.
   *
   * Ends an open invitation: its link is refused from now on.
   */
  revokeInvitation(invitation_id: string, options: CallOptions = {}): Promise<Data<'revokeInvitation'>> {
    return this.dataOf('revokeInvitation', {invitation_id}, {}, options);
  }

  /**
   * Read alerts.
   *
   * What the team is alerted of, and where alerts are sent.
   */
  getAlerts(options: CallOptions = {}): Promise<Data<'getAlerts'>> {
    return this.dataOf('getAlerts', {}, {}, options);
  }

  /**
   * Replace alerts.
   *
   * Replaces all settings. A webhook with another URL gets another signing secret, which is shown only
   * in this response. A webhook that was disabled is enabled again. For a day, the former URL still
   * gets the alerts of changed settings.
   */
  replaceAlerts(body: Body<'replaceAlerts'> = {}, options: CallOptions = {}): Promise<Data<'replaceAlerts'>> {
    return this.dataOf('replaceAlerts', {}, body, options);
  }

  /**
   * Replace signing secret of alerts.
   *
   * The new secret is never shown again, and signs alerts from now on. The alert of the change is also
   * sent with the former secret.
   */
  rotateAlertSecret(body: { idempotency_key?: string } = {}, options: CallOptions = {}): Promise<Data<'rotateAlertSecret'>> {
    return this.dataOf('rotateAlertSecret', {}, body, options);
  }

  /**
   * Read change of access.
   *
   * Reads a change of members, service users or API keys that awaits approvals, or has them. 404 once
   * it is carried out, rejected or over. `GET /v1/approvals` lists all.
   */
  getAccessChange(access_change_id: string, options: CallOptions = {}): Promise<Data<'getAccessChange'>> {
    return this.dataOf('getAccessChange', {access_change_id}, {}, options);
  }

  /**
   * Approve change of access.
   *
   * Approves a change of another member. With the last approval its requester can carry it out within
   * 24 hours: by the same request again.
   */
  approveAccessChange(access_change_id: string, body: Body<'approveAccessChange'>, options: CallOptions = {}): Promise<Data<'approveAccessChange'>> {
    return this.dataOf('approveAccessChange', {access_change_id}, body, options);
  }

  /**
   * Reject change of access, or take it back.
   *
   * Rejects a change of another member, or takes back one’s own: it is gone.
   */
  rejectAccessChange(access_change_id: string, body: Body<'rejectAccessChange'>, options: CallOptions = {}): Promise<Data<'rejectAccessChange'>> {
    return this.dataOf('rejectAccessChange', {access_change_id}, body, options);
  }
}

export class AuditOperations extends Group {
  /**
   * Read audit log.
   *
   * Who changed what, when and from where, newest first: every change of a person, a program or the
   * operator, every login, and what was refused. A member who is limited to some wallets sees the
   * entries of these.
   */
  list(query: Query<'listAuditEntries'> = {}, options: CallOptions = {}): Pages<Item<'listAuditEntries'>> {
    return this.pagesOf('listAuditEntries', {}, query, options);
  }

  /**
   * Read audit log.
   *
   * Everything as CSV, without pages.
   */
  csv(query: CsvQuery<'listAuditEntries'> = {}, options: CallOptions = {}): Csv {
    return this.csvOf('listAuditEntries', {}, { ...query, format: 'csv' }, options);
  }
}

export class ServiceUsersOperations extends Group {
  /**
   * List service users.
   *
   * Lists the service users of the team, newest first. The list of members does not have them.
   */
  list(query: Query<'listServiceUsers'> = {}, options: CallOptions = {}): Pages<Item<'listServiceUsers'>> {
    return this.pagesOf('listServiceUsers', {}, query, options);
  }

  /**
   * Make service user.
   *
   * Makes a program that acts with the rights of a member. Without `public_keys` it gets a secret,
   * which is shown only here. Its backend exchanges secret or signed assertion for a login token at
   * `POST /v1/auth/token`.
   */
  create(body: Body<'createServiceUser'> & { idempotency_key?: string }, options: CallOptions = {}): Promise<Data<'createServiceUser'>> {
    return this.dataOf('createServiceUser', {}, body, options);
  }

  /**
   * Read service user.
   *
   * A service user with its public keys, and its secrets without their values.
   */
  get(service_user_id: string, options: CallOptions = {}): Promise<Data<'getServiceUser'>> {
    return this.dataOf('getServiceUser', {service_user_id}, {}, options);
  }

  /**
   * Change service user.
   *
   * Changes name, rights, addresses or public keys, or disables or enables it. All hold for its next
   * request. Disabling it, and removing a public key, ends its tokens at once. `endpoints` are the
   * webhook endpoints that it has registered, which go on whatever it may do from now on.
   */
  change(service_user_id: string, body: Body<'changeServiceUser'> = {}, options: CallOptions = {}): Promise<Data<'changeServiceUser'>> {
    return this.dataOf('changeServiceUser', {service_user_id}, body, options);
  }

  /**
   * Remove service user.
   *
   * Its secrets, keys and tokens are refused from now on. It cannot come back. `endpoints` are the
   * webhook endpoints that it has registered, which go on: disable those that you do not know.
   */
  remove(service_user_id: string, options: CallOptions = {}): Promise<Data<'removeServiceUser'>> {
    return this.dataOf('removeServiceUser', {service_user_id}, {}, options);
  }

  /**
   * Add secret.
   *
   * Gives the service user one more secret, which is shown only here. It may have two, so that a
   * rotation has no gap: add one, let the backend use it, retire the other one.
   */
  addSecret(service_user_id: string, body: { idempotency_key?: string } = {}, options: CallOptions = {}): Promise<Data<'addServiceUserSecret'>> {
    return this.dataOf('addServiceUserSecret', {service_user_id}, body, options);
  }

  /**
   * Retire secret.
   *
   * The secret, and the tokens that were given for it, are refused from now on.
   */
  retireSecret(service_user_id: string, secret_id: string, options: CallOptions = {}): Promise<Data<'retireServiceUserSecret'>> {
    return this.dataOf('retireServiceUserSecret', {service_user_id, secret_id}, {}, options);
  }
}

export class PayeesOperations extends Group {
  /**
   * List payees.
   *
   * Lists the payees of the team, newest first.
   */
  list(query: Query<'listPayees'> = {}, options: CallOptions = {}): Pages<Item<'listPayees'>> {
    return this.pagesOf('listPayees', {}, query, options);
  }

  /**
   * Create payee.
   *
   * Adds a payee to the team. Its destination, memo and asset never change: another destination is
   * another payee. 202: a policy asks for approvals of new destinations; nothing was added, and the
   * same request adds the payee once it has them.
   */
  create(body: Body<'createPayee'> & { idempotency_key?: string }, options: CallOptions = {}): Promise<Data<'createPayee'>> {
    return this.dataOf('createPayee', {}, body, options);
  }

  /**
   * Read payee.
   *
   * A payee, with what it was paid. 404 for a payee that was deleted.
   */
  get(payee_id: string, options: CallOptions = {}): Promise<Data<'getPayee'>> {
    return this.dataOf('getPayee', {payee_id}, {}, options);
  }

  /**
   * Change payee.
   *
   * Changes the name or the note. With another name the payee is marked as new again. 202: as of a new
   * payee, and of another name alone.
   */
  change(payee_id: string, body: Body<'changePayee'> = {}, options: CallOptions = {}): Promise<Data<'changePayee'>> {
    return this.dataOf('changePayee', {payee_id}, body, options);
  }

  /**
   * Delete payee.
   *
   * Deletes the payee: no request can name it any more. Its payments keep its id. 409 `payee_in_use`
   * while an allow list has it.
   */
  delete(payee_id: string, options: CallOptions = {}): Promise<Data<'deletePayee'>> {
    return this.dataOf('deletePayee', {payee_id}, {}, options);
  }
}

export class WalletsOperations extends Group {
  /**
   * Create wallet.
   *
   * Creates a wallet and its API key. The key is shown only in this response.
   */
  create(body: Body<'createWallet'> & { idempotency_key?: string }, options: CallOptions = {}): Promise<Data<'createWallet'>> {
    return this.dataOf('createWallet', {}, body, options);
  }

  /**
   * List wallets.
   *
   * Lists the wallets that the member may use, newest first.
   */
  list(query: Query<'listWallets'> = {}, options: CallOptions = {}): Pages<Item<'listWallets'>> {
    return this.pagesOf('listWallets', {}, query, options);
  }

  /**
   * Read wallet.
   *
   * A wallet with its account on the network.
   */
  get(wallet_id: string, options: CallOptions = {}): Promise<Data<'getWallet'>> {
    return this.dataOf('getWallet', {id: wallet_id}, {}, options);
  }

  /**
   * Change wallet.
   *
   * Changes the wallet’s name, or whether a memo text of digits counts as a memo id.
   */
  change(wallet_id: string, body: Body<'changeWallet'> = {}, options: CallOptions = {}): Promise<Data<'changeWallet'>> {
    return this.dataOf('changeWallet', {id: wallet_id}, body, options);
  }

  /**
   * List balances.
   *
   * Lists the wallet’s balances on the ledger. `available_stroops` is the part that a withdrawal can
   * use now: the amount less `reserved_stroops` and `in_flight_stroops`, 0 at least.
   */
  balances(wallet_id: string, options: CallOptions = {}): Promise<Data<'listBalances'>> {
    return this.dataOf('listBalances', {id: wallet_id}, {}, options);
  }

  /**
   * List transactions.
   *
   * Lists deposits, withdrawals and adjustments together, newest first.
   */
  listTransactions(wallet_id: string, query: Query<'listTransactions'> = {}, options: CallOptions = {}): Pages<Item<'listTransactions'>> {
    return this.pagesOf('listTransactions', {id: wallet_id}, query, options);
  }

  /**
   * Read statistics.
   *
   * Gives the sums of deposits, withdrawals, adjustments and fees per day.
   */
  statistics(wallet_id: string, query: Query<'getStatistics'> = {}, options: CallOptions = {}): Promise<Data<'getStatistics'>> {
    return this.dataOf('getStatistics', {id: wallet_id}, query, options);
  }

  /**
   * Explain transaction.
   *
   * Explains each operation of a transaction: what it did for the wallet, and why it is a deposit or
   * not. Takes the hash of a fee-bump, or of the transaction inside it.
   */
  explainTransaction(wallet_id: string, tx_hash: string, options: CallOptions = {}): Promise<Data<'explainTransaction'>> {
    return this.dataOf('explainTransaction', {id: wallet_id, tx_hash}, {}, options);
  }

  /**
   * Read reconciliation.
   *
   * Compares the books (deposits minus withdrawals, adjustments and fees) with the account’s balances
   * on the ledger.
   */
  reconciliation(wallet_id: string, options: CallOptions = {}): Promise<Data<'getReconciliation'>> {
    return this.dataOf('getReconciliation', {id: wallet_id}, {}, options);
  }

  /**
   * Get wallet health.
   *
   * Whether deposits, withdrawals, webhooks, channel accounts and books of the wallet work as they
   * should, and whether the service knows the protocol of the network.
   */
  health(wallet_id: string, options: CallOptions = {}): Promise<Data<'getWalletHealth'>> {
    return this.dataOf('getWalletHealth', {id: wallet_id}, {}, options);
  }

  /**
   * Search wallets.
   *
   * Finds what has this text: payees of the team, and what is in the wallets that the member may use.
   * At most five of each kind, the newest of those that it has read. Lists with `search` find all of
   * one wallet. The id of an event finds what the event tells of, too.
   */
  search(query: Query<'searchWallets'>, options: CallOptions = {}): Promise<Data<'searchWallets'>> {
    return this.dataOf('searchWallets', {}, query, options);
  }
}

export class ApiKeysOperations extends Group {
  /**
   * Regenerate API key.
   *
   * Replaces the API key. The old key is invalid when this request is answered. `endpoints` are the
   * webhook endpoints that the old key has registered, which go on: a stolen key may have registered
   * one. Disable those that you do not know. 202: the policy asks for approvals of API keys; the old
   * key stays until the same request is sent again after them.
   */
  regenerateMain(wallet_id: string, body: { idempotency_key?: string } = {}, options: CallOptions = {}): Promise<Data<'regenerateApiKey'>> {
    return this.dataOf('regenerateApiKey', {id: wallet_id}, body, options);
  }

  /**
   * Read API key.
   *
   * Reads prefix, last four characters and times of the API key, never the key itself.
   */
  getMain(wallet_id: string, options: CallOptions = {}): Promise<Data<'getApiKey'>> {
    return this.dataOf('getApiKey', {id: wallet_id}, {}, options);
  }

  /**
   * List named API keys.
   *
   * Lists the named API keys of the wallet, newest first, expired ones too. The main key is not among
   * them.
   */
  list(wallet_id: string, query: Query<'listApiKeys'> = {}, options: CallOptions = {}): Pages<Item<'listApiKeys'>> {
    return this.pagesOf('listApiKeys', {id: wallet_id}, query, options);
  }

  /**
   * Make named API key.
   *
   * Makes an API key of the wallet beside its main key. The key is shown only here. Two at once let a
   * program change from one to the other without a gap. No API key can withdraw.
   */
  create(wallet_id: string, body: Body<'createApiKey'> & { idempotency_key?: string }, options: CallOptions = {}): Promise<Data<'createApiKey'>> {
    return this.dataOf('createApiKey', {id: wallet_id}, body, options);
  }

  /**
   * Delete named API key.
   *
   * The key is refused from now on. `endpoints` are the webhook endpoints that it has registered, which
   * go on: disable those that you do not know.
   */
  delete(wallet_id: string, key_id: string, options: CallOptions = {}): Promise<Data<'deleteApiKey'>> {
    return this.dataOf('deleteApiKey', {id: wallet_id, key_id}, {}, options);
  }
}

export class AddressesOperations extends Group {
  /**
   * Change deposit address.
   *
   * Changes the label or the metadata, which is replaced as a whole. Deposits that are attributed from
   * now on have the new metadata, and so have their events. Earlier deposits and events keep theirs.
   */
  change(wallet_id: string, address_id: string, body: Body<'changeDepositAddress'> = {}, options: CallOptions = {}): Promise<Data<'changeDepositAddress'>> {
    return this.dataOf('changeDepositAddress', {id: wallet_id, address_id}, body, options);
  }

  /**
   * Read deposit address.
   *
   * Reads one address, with the sums of its deposits by asset.
   */
  get(wallet_id: string, address_id: string, options: CallOptions = {}): Promise<Data<'getDepositAddress'>> {
    return this.dataOf('getDepositAddress', {id: wallet_id, address_id}, {}, options);
  }

  /**
   * Create deposit address.
   *
   * Creates an address for one of your customers. Every payment to it is attributed to it.
   */
  create(wallet_id: string, body: Body<'createDepositAddress'> & { idempotency_key?: string } = {}, options: CallOptions = {}): Promise<Data<'createDepositAddress'>> {
    return this.dataOf('createDepositAddress', {id: wallet_id}, body, options);
  }

  /**
   * List deposit addresses.
   *
   * Lists the wallet’s deposit addresses, newest first or by their last deposit.
   */
  list(wallet_id: string, query: Query<'listDepositAddresses'> = {}, options: CallOptions = {}): Pages<Item<'listDepositAddresses'>> {
    return this.pagesOf('listDepositAddresses', {id: wallet_id}, query, options);
  }
}

export class DepositsOperations extends Group {
  /**
   * List deposits.
   *
   * Lists every payment into the wallet, newest first.
   */
  list(wallet_id: string, query: Query<'listDeposits'> = {}, options: CallOptions = {}): Pages<Item<'listDeposits'>> {
    return this.pagesOf('listDeposits', {id: wallet_id}, query, options);
  }

  /**
   * Read deposit.
   *
   * One deposit, as its event shows it.
   */
  get(wallet_id: string, deposit_id: string, options: CallOptions = {}): Promise<Data<'getDeposit'>> {
    return this.dataOf('getDeposit', {id: wallet_id, deposit_id}, {}, options);
  }

  /**
   * Read adjustment.
   *
   * What others did to the wallet without paying it: they took an amount of it (a clawback), or changed
   * what a trust line may do. The list of transactions has them all.
   */
  getAdjustment(wallet_id: string, adjustment_id: string, options: CallOptions = {}): Promise<Data<'getAdjustment'>> {
    return this.dataOf('getAdjustment', {id: wallet_id, adjustment_id}, {}, options);
  }

  /**
   * Assign deposit.
   *
   * Assigns an unattributed deposit to a deposit address of the wallet. Fires `deposit.created`, once.
   */
  assign(wallet_id: string, deposit_id: string, body: Body<'assignDeposit'>, options: CallOptions = {}): Promise<Data<'assignDeposit'>> {
    return this.dataOf('assignDeposit', {id: wallet_id, deposit_id}, body, options);
  }

  /**
   * Read deposit minimums.
   *
   * The smallest deposits, by asset, that an event announces. An asset that is not listed has no
   * minimum.
   */
  getMinimums(wallet_id: string, options: CallOptions = {}): Promise<Data<'getDepositMinimums'>> {
    return this.dataOf('getDepositMinimums', {id: wallet_id}, {}, options);
  }

  /**
   * Replace deposit minimums.
   *
   * Deposits below the minimum of their asset are recorded and listed with `below_minimum: true`; no
   * event and no delivery is made for them. It holds for the deposits that are recorded afterwards.
   */
  replaceMinimums(wallet_id: string, body: Body<'replaceDepositMinimums'>, options: CallOptions = {}): Promise<Data<'replaceDepositMinimums'>> {
    return this.dataOf('replaceDepositMinimums', {id: wallet_id}, body, options);
  }

  /**
   * Refund deposit.
   *
   * Pays an unattributed deposit back to its sender, and answers when the outcome is proven. It is a
   * withdrawal of the whole amount with MEMO_RETURN of the deposit’s transaction hash. It needs no
   * Idempotency-Key: a deposit is refunded once, and a refund that failed may be tried again. 409
   * `deposit_refunded` has the refund as `data`. 202: members must approve the refund first and nothing
   * is signed, or the request prefers `respond-async`.
   */
  refund(wallet_id: string, deposit_id: string, body: Body<'refundDeposit'> & { prefer?: string } = {}, options: CallOptions = {}): Promise<Data<'refundDeposit'>> {
    return this.dataOf('refundDeposit', {id: wallet_id, deposit_id}, body, options);
  }

  /**
   * List deposit deliveries.
   *
   * The webhook deliveries of the events of this deposit to all endpoints, with the responses.
   */
  listDeliveries(wallet_id: string, deposit_id: string, options: CallOptions = {}): Promise<Data<'listDepositDeliveries'>> {
    return this.dataOf('listDepositDeliveries', {id: wallet_id, deposit_id}, {}, options);
  }
}

export class PoliciesOperations extends Group {
  /**
   * Get policy.
   *
   * What the wallet may pay out now, and the pending changes.
   */
  get(wallet_id: string, options: CallOptions = {}): Promise<Data<'getPolicy'>> {
    return this.dataOf('getPolicy', {id: wallet_id}, {}, options);
  }

  /**
   * Replace policy.
   *
   * A field that is absent is no limit. Without `limits`, the native asset alone can have limits.
   * Stricter limits apply at once; looser ones after the delay.
   */
  replace(wallet_id: string, body: Body<'replacePolicy'> = {}, options: CallOptions = {}): Promise<Data<'replacePolicy'>> {
    return this.dataOf('replacePolicy', {id: wallet_id}, body, options);
  }

  /**
   * Change policy.
   *
   * Changes these fields only; the others, and their pending changes, stay. `limits` is replaced as a
   * whole list. Stricter limits apply at once; looser ones after the delay.
   */
  change(wallet_id: string, body: Body<'changePolicy'> = {}, options: CallOptions = {}): Promise<Data<'changePolicy'>> {
    return this.dataOf('changePolicy', {id: wallet_id}, body, options);
  }

  /**
   * Revoke policy change.
   *
   * Revokes a pending change. 404 once the change is in force.
   */
  revokeChange(wallet_id: string, change_id: string, options: CallOptions = {}): Promise<Data<'revokePolicyChange'>> {
    return this.dataOf('revokePolicyChange', {id: wallet_id, change_id}, {}, options);
  }

  /**
   * Approve policy change.
   *
   * Approves a change that awaits approvals, of another member. With the last one it takes effect after
   * its delay.
   */
  approveChange(wallet_id: string, change_id: string, body: Body<'approvePolicyChange'>, options: CallOptions = {}): Promise<Data<'approvePolicyChange'>> {
    return this.dataOf('approvePolicyChange', {id: wallet_id, change_id}, body, options);
  }

  /**
   * Reject policy change.
   *
   * Rejects a change that awaits approvals: it is gone.
   */
  rejectChange(wallet_id: string, change_id: string, body: Body<'rejectPolicyChange'>, options: CallOptions = {}): Promise<Data<'rejectPolicyChange'>> {
    return this.dataOf('rejectPolicyChange', {id: wallet_id, change_id}, body, options);
  }
}

export class WithdrawalsOperations extends Group {
  /**
   * Preview withdrawal.
   *
   * What a withdrawal with this body would do now. Sends nothing and stores nothing.
   */
  preview(wallet_id: string, body: Body<'previewWithdrawal'>, options: CallOptions = {}): Promise<Data<'previewWithdrawal'>> {
    return this.dataOf('previewWithdrawal', {id: wallet_id}, body, options);
  }

  /**
   * Approve withdrawal.
   *
   * Approves a withdrawal of another member that awaits approvals. The last approval that is needed
   * sends it: `status` is `pending` then. The policy as it is now must allow it. An approval counts
   * only while its member may approve.
   */
  approve(wallet_id: string, withdrawal_id: string, body: Body<'approveWithdrawal'>, options: CallOptions = {}): Promise<Data<'approveWithdrawal'>> {
    return this.dataOf('approveWithdrawal', {id: wallet_id, withdrawal_id}, body, options);
  }

  /**
   * Reject withdrawal.
   *
   * Rejects a withdrawal of another member that awaits approvals, or takes back one’s own. It is
   * `failed` with the code `rejected`; nothing was signed. One rejection is enough.
   */
  reject(wallet_id: string, withdrawal_id: string, body: Body<'rejectWithdrawal'>, options: CallOptions = {}): Promise<Data<'rejectWithdrawal'>> {
    return this.dataOf('rejectWithdrawal', {id: wallet_id, withdrawal_id}, body, options);
  }

  /**
   * Preview approval.
   *
   * What a withdrawal that awaits approvals would do now, from its stored order. Sends nothing and
   * stores nothing.
   */
  previewApproval(wallet_id: string, withdrawal_id: string, options: CallOptions = {}): Promise<Data<'previewApproval'>> {
    return this.dataOf('previewApproval', {id: wallet_id, withdrawal_id}, {}, options);
  }

  /**
   * List what awaits approvals.
   *
   * The withdrawals, payouts, changes of policies and changes of access that await approvals, of every
   * wallet that the caller may use, newest first. A change of access stays in the list until its
   * requester carries it out.
   */
  listApprovals(query: Query<'listApprovals'> = {}, options: CallOptions = {}): Pages<Item<'listApprovals'>> {
    return this.pagesOf('listApprovals', {}, query, options);
  }

  /**
   * List decided approvals.
   *
   * The withdrawals, payouts, changes of policies and changes of access that awaited approvals and are
   * decided or over, newest decision first. The caller sees those that the caller would see while they
   * await approvals.
   */
  listDecidedApprovals(query: Query<'listDecidedApprovals'> = {}, options: CallOptions = {}): Pages<Item<'listDecidedApprovals'>> {
    return this.pagesOf('listDecidedApprovals', {}, query, options);
  }

  /**
   * Create withdrawal.
   *
   * Pays from the wallet, and answers when the outcome is proven on the ledger. 504 `outcome_pending`:
   * the withdrawal continues without the request; `data` is its state. 409: the key is used; `data` is
   * the withdrawal that has it. 409 `possible_duplicate`: the ledger has a payment that this database
   * has forgotten, and this may be the same one; nothing was started. 202: members must approve it
   * first (`status` is `awaiting_approval`), the key is taken, and nothing is signed; or the request
   * prefers `respond-async`: the withdrawal is accepted, and `Location` shows its outcome later.
   */
  withdraw(wallet_id: string, body: Body<'createWithdrawal'> & { idempotency_key: string } & { prefer?: string }, options: CallOptions = {}): Promise<Data<'createWithdrawal'>> {
    return this.dataOf('createWithdrawal', {id: wallet_id}, body, options);
  }

  /**
   * List withdrawals.
   *
   * The wallet’s withdrawals, newest first.
   */
  list(wallet_id: string, query: Query<'listWithdrawals'> = {}, options: CallOptions = {}): Pages<Item<'listWithdrawals'>> {
    return this.pagesOf('listWithdrawals', {id: wallet_id}, query, options);
  }

  /**
   * Get withdrawal.
   *
   * One withdrawal as it is now. A status that is settled does not change any more. With `wait_seconds`
   * the answer comes when it has its outcome, or when the time is over. With Retry-After: too many
   * requests of the wallet or the team wait already, so this one did not.
   */
  get(wallet_id: string, withdrawal_id: string, query: Query<'getWithdrawal'> = {}, options: CallOptions = {}): Promise<Data<'getWithdrawal'>> {
    return this.dataOf('getWithdrawal', {id: wallet_id, withdrawal_id}, query, options);
  }
}

export class AssetsOperations extends Group {
  /**
   * List assets.
   *
   * The issued assets of the wallet, by code. The native asset needs no trust line and is not among
   * them.
   */
  list(wallet_id: string, options: CallOptions = {}): Promise<Data<'listAssets'>> {
    return this.dataOf('listAssets', {id: wallet_id}, {}, options);
  }

  /**
   * Add asset.
   *
   * Makes a trust line, so that the wallet can hold the asset; answers when the ledger has it. 200: the
   * wallet had the asset. 504 `outcome_pending`: the change continues without the request; ask again,
   * it is made once.
   */
  add(wallet_id: string, body: Body<'addAsset'>, options: CallOptions = {}): Promise<Data<'addAsset'>> {
    return this.dataOf('addAsset', {id: wallet_id}, body, options);
  }

  /**
   * Get asset.
   *
   * An asset and what its issuer can do, before it is added too: its status is `absent` then.
   */
  get(wallet_id: string, asset: string, options: CallOptions = {}): Promise<Data<'getAsset'>> {
    return this.dataOf('getAsset', {id: wallet_id, asset}, {}, options);
  }

  /**
   * Remove asset.
   *
   * Removes the trust line of an asset that the wallet holds nothing of; answers when the ledger has
   * done it.
   */
  remove(wallet_id: string, asset: string, options: CallOptions = {}): Promise<Data<'removeAsset'>> {
    return this.dataOf('removeAsset', {id: wallet_id, asset}, {}, options);
  }
}

export class PayoutsOperations extends Group {
  /**
   * Create payout.
   *
   * Makes a draft of up to 10,000 payments, from JSON or a CSV (`Content-Type: text/csv`, with `name`
   * in the query; then the other members of the body are in the query too). The whole file is checked
   * first; when anything is refused, nothing is kept: 400 with every error, 409
   * `duplicates_not_confirmed`, both with the report as `data`. With `?preview=true` only the report is
   * made (200). Nothing is paid before the payout is started.
   */
  create(wallet_id: string, body: Body<'createPayout'> & { idempotency_key?: string } & Pick<Query<'createPayout'>, 'preview'> = {}, options: CallOptions = {}): Promise<Data<'createPayout'>> {
    return this.dataOf('createPayout', {id: wallet_id}, body, options);
  }

  /**
   * List payouts.
   *
   * The wallet’s payouts, newest first.
   */
  list(wallet_id: string, query: Query<'listPayouts'> = {}, options: CallOptions = {}): Pages<Item<'listPayouts'>> {
    return this.pagesOf('listPayouts', {id: wallet_id}, query, options);
  }

  /**
   * Start payout.
   *
   * Begins to pay a draft: `running`. Where the policy asks for approvals, by the sum of each asset:
   * `awaiting_approval`; one approval is for the whole file.
   */
  start(wallet_id: string, payout_id: string, options: CallOptions = {}): Promise<Data<'startPayout'>> {
    return this.dataOf('startPayout', {id: wallet_id, payout_id}, {}, options);
  }

  /**
   * Pause payout.
   *
   * No further row begins. Rows that have begun go on to their outcomes.
   */
  pause(wallet_id: string, payout_id: string, options: CallOptions = {}): Promise<Data<'pausePayout'>> {
    return this.dataOf('pausePayout', {id: wallet_id, payout_id}, {}, options);
  }

  /**
   * Resume payout.
   *
   * Rows of a paused payout begin again.
   */
  resume(wallet_id: string, payout_id: string, options: CallOptions = {}): Promise<Data<'resumePayout'>> {
    return this.dataOf('resumePayout', {id: wallet_id, payout_id}, {}, options);
  }

  /**
   * Cancel payout.
   *
   * Rows that have not begun never will. Rows that have begun go on to their outcomes.
   */
  cancel(wallet_id: string, payout_id: string, options: CallOptions = {}): Promise<Data<'cancelPayout'>> {
    return this.dataOf('cancelPayout', {id: wallet_id, payout_id}, {}, options);
  }

  /**
   * Retry failed rows.
   *
   * Makes another draft of the failed rows of a payout that has ended, each with a key that follows
   * from its own (`…·retry1`). What fails again can be retried again. Rows that a retry has already, or
   * whose keys have paid something else, are left out.
   */
  retryFailed(wallet_id: string, payout_id: string, body: { idempotency_key?: string } = {}, options: CallOptions = {}): Promise<Data<'retryPayout'>> {
    return this.dataOf('retryPayout', {id: wallet_id, payout_id}, body, options);
  }

  /**
   * Approve payout.
   *
   * Approves a payout of another member that awaits approvals: exactly this file, by its `order_hash`.
   * With the last approval that is needed it runs.
   */
  approve(wallet_id: string, payout_id: string, body: Body<'approvePayout'>, options: CallOptions = {}): Promise<Data<'approvePayout'>> {
    return this.dataOf('approvePayout', {id: wallet_id, payout_id}, body, options);
  }

  /**
   * Reject payout.
   *
   * Rejects a payout of another member that awaits approvals, or takes back one’s own. It is
   * `cancelled`; nothing of it was paid. One rejection is enough.
   */
  reject(wallet_id: string, payout_id: string, body: Body<'rejectPayout'>, options: CallOptions = {}): Promise<Data<'rejectPayout'>> {
    return this.dataOf('rejectPayout', {id: wallet_id, payout_id}, body, options);
  }

  /**
   * Get payout.
   *
   * One payout as it is now, with its rows counted and summed by status.
   */
  get(wallet_id: string, payout_id: string, options: CallOptions = {}): Promise<Data<'getPayout'>> {
    return this.dataOf('getPayout', {id: wallet_id, payout_id}, {}, options);
  }

  /**
   * List rows of a payout.
   *
   * The rows in the order of the file. With `Accept: text/csv` all of them as CSV; a field that a
   * spreadsheet would calculate has an apostrophe in front.
   */
  listRows(wallet_id: string, payout_id: string, query: Query<'listPayoutRows'> = {}, options: CallOptions = {}): Pages<Item<'listPayoutRows'>> {
    return this.pagesOf('listPayoutRows', {id: wallet_id, payout_id}, query, options);
  }

  /**
   * List rows of a payout.
   *
   * Everything as CSV, without pages.
   */
  rowsCsv(wallet_id: string, payout_id: string, query: CsvQuery<'listPayoutRows'> = {}, options: CallOptions = {}): Csv {
    return this.csvOf('listPayoutRows', {id: wallet_id, payout_id}, query, options);
  }
}

export class WebhooksOperations extends Group {
  /**
   * Register webhook endpoint.
   *
   * Registers a URL for the wallet’s events, of the types that `events` names. The signing secret is
   * never shown again.
   */
  register(wallet_id: string, body: Body<'registerWebhook'> & { idempotency_key?: string }, options: CallOptions = {}): Promise<Data<'registerWebhook'>> {
    return this.dataOf('registerWebhook', {id: wallet_id}, body, options);
  }

  /**
   * List webhook endpoints.
   *
   * The endpoints of the wallet, newest first, without their signing secrets.
   */
  list(wallet_id: string, query: Query<'listWebhooks'> = {}, options: CallOptions = {}): Pages<Item<'listWebhooks'>> {
    return this.pagesOf('listWebhooks', {id: wallet_id}, query, options);
  }

  /**
   * Read webhook endpoint.
   *
   * An endpoint without its signing secret.
   */
  get(wallet_id: string, webhook_id: string, options: CallOptions = {}): Promise<Data<'getWebhook'>> {
    return this.dataOf('getWebhook', {id: wallet_id, webhook_id}, {}, options);
  }

  /**
   * Change webhook endpoint.
   *
   * Changes, disables or enables a webhook endpoint. When it is enabled or gets another URL, its
   * pending deliveries are sent at once, each with its whole schedule. Another choice of `events`
   * counts for what happens from then on.
   */
  change(wallet_id: string, webhook_id: string, body: Body<'updateWebhook'> = {}, options: CallOptions = {}): Promise<Data<'updateWebhook'>> {
    return this.dataOf('updateWebhook', {id: wallet_id, webhook_id}, body, options);
  }

  /**
   * Delete webhook endpoint.
   *
   * Deletes a webhook endpoint. Its pending deliveries are given up.
   */
  delete(wallet_id: string, webhook_id: string, options: CallOptions = {}): Promise<Data<'deleteWebhook'>> {
    return this.dataOf('deleteWebhook', {id: wallet_id, webhook_id}, {}, options);
  }

  /**
   * Read webhook statistics.
   *
   * How the endpoint has answered in the last 24 hours.
   */
  statistics(wallet_id: string, webhook_id: string, options: CallOptions = {}): Promise<Data<'getWebhookStatistics'>> {
    return this.dataOf('getWebhookStatistics', {id: wallet_id, webhook_id}, {}, options);
  }

  /**
   * Replace signing secret.
   *
   * The new secret is never shown again. `X-Svc-Signature` uses it at once, for retries too.
   * `webhook-signature` also has a signature of each replaced secret, newest first, for 24 hours after
   * its replacement; at most of the newest four of them.
   */
  rotateSecret(wallet_id: string, webhook_id: string, body: { idempotency_key?: string } = {}, options: CallOptions = {}): Promise<Data<'rotateWebhookSecret'>> {
    return this.dataOf('rotateWebhookSecret', {id: wallet_id, webhook_id}, body, options);
  }

  /**
   * List webhook deliveries.
   *
   * Deliveries to the endpoint, newest first, with their attempts and the answers to them.
   */
  listDeliveries(wallet_id: string, webhook_id: string, query: Query<'listWebhookDeliveries'> = {}, options: CallOptions = {}): Pages<Item<'listWebhookDeliveries'>> {
    return this.pagesOf('listWebhookDeliveries', {id: wallet_id, webhook_id}, query, options);
  }

  /**
   * Read webhook delivery.
   *
   * A delivery with its exact body and its attempts.
   */
  getDelivery(wallet_id: string, webhook_id: string, delivery_id: string, options: CallOptions = {}): Promise<Data<'getWebhookDelivery'>> {
    return this.dataOf('getWebhookDelivery', {id: wallet_id, webhook_id, delivery_id}, {}, options);
  }

  /**
   * Send test event.
   *
   * Queues a signed test event for this endpoint only, whatever types of events it has chosen. No name
   * of a test event is that of a real one.
   */
  test(wallet_id: string, webhook_id: string, body: Body<'testWebhook'> & { idempotency_key?: string } = {}, options: CallOptions = {}): Promise<Data<'testWebhook'>> {
    return this.dataOf('testWebhook', {id: wallet_id, webhook_id}, body, options);
  }

  /**
   * Repeat webhook delivery.
   *
   * Sends a delivery again: the same bytes under the same webhook-id, with a new schedule.
   */
  redeliver(wallet_id: string, webhook_id: string, delivery_id: string, options: CallOptions = {}): Promise<Data<'redeliverWebhook'>> {
    return this.dataOf('redeliverWebhook', {id: wallet_id, webhook_id, delivery_id}, {}, options);
  }

  /**
   * Replay webhook deliveries.
   *
   * Sends all deliveries again that were made since a time and are not acknowledged: the same bytes
   * under the same webhook-id and webhook-sequence, oldest first, each with a new schedule. A disabled
   * endpoint gets them when it is enabled. Another replay sends those again that are still not
   * acknowledged.
   */
  replay(wallet_id: string, webhook_id: string, body: Body<'replayWebhook'>, options: CallOptions = {}): Promise<Data<'replayWebhook'>> {
    return this.dataOf('replayWebhook', {id: wallet_id, webhook_id}, body, options);
  }

  /**
   * Examine webhook receiver.
   *
   * Sends right and wrong requests to the endpoint, one after the other, and reports the answers. Their
   * events have types that end in `.test`, with ids and accounts that cannot exist. They are no
   * deliveries: they use no sequence number and are not in the delivery log. The answer comes after at
   * most 45 seconds. One exam of an endpoint runs at a time.
   */
  examine(wallet_id: string, webhook_id: string, options: CallOptions = {}): Promise<Data<'examineWebhook'>> {
    return this.dataOf('examineWebhook', {id: wallet_id, webhook_id}, {}, options);
  }
}

export class EventsOperations extends Group {
  /**
   * List wallet events.
   *
   * The wallet’s events after a number, for events that a receiver missed or as a stream. Oldest first,
   * unlike other lists: continue after the last number that you have. Numbers have no gap, and new
   * events never change earlier pages. Without `webhook_id` the numbers count the wallet’s events; with
   * it they are the `webhook-sequence` of that endpoint’s deliveries. Besides `deposit.created`, an
   * event is there only if an endpoint had chosen its type. `body` is the exact text that is signed:
   * verify `headers` over its UTF-8 bytes, as for a delivery. Reading acknowledges nothing. An empty
   * page with Retry-After: too many requests of the wallet or the team wait already, so this one did
   * not.
   */
  list(wallet_id: string, query: Query<'listEvents'> = {}, options: CallOptions = {}): Promise<Data<'listEvents'>> {
    return this.dataOf('listEvents', {id: wallet_id}, query, options);
  }
}

/** Every group of methods. */
export class Operations {
  readonly service: ServiceOperations;
  readonly sandbox: SandboxOperations;
  readonly sessions: SessionsOperations;
  readonly auth: AuthOperations;
  readonly factors: FactorsOperations;
  readonly team: TeamOperations;
  readonly audit: AuditOperations;
  readonly serviceUsers: ServiceUsersOperations;
  readonly payees: PayeesOperations;
  readonly wallets: WalletsOperations;
  readonly apiKeys: ApiKeysOperations;
  readonly addresses: AddressesOperations;
  readonly deposits: DepositsOperations;
  readonly policies: PoliciesOperations;
  readonly withdrawals: WithdrawalsOperations;
  readonly assets: AssetsOperations;
  readonly payouts: PayoutsOperations;
  readonly webhooks: WebhooksOperations;
  readonly events: EventsOperations;

  constructor(send: Send) {
    this.service = new ServiceOperations(send);
    this.sandbox = new SandboxOperations(send);
    this.sessions = new SessionsOperations(send);
    this.auth = new AuthOperations(send);
    this.factors = new FactorsOperations(send);
    this.team = new TeamOperations(send);
    this.audit = new AuditOperations(send);
    this.serviceUsers = new ServiceUsersOperations(send);
    this.payees = new PayeesOperations(send);
    this.wallets = new WalletsOperations(send);
    this.apiKeys = new ApiKeysOperations(send);
    this.addresses = new AddressesOperations(send);
    this.deposits = new DepositsOperations(send);
    this.policies = new PoliciesOperations(send);
    this.withdrawals = new WithdrawalsOperations(send);
    this.assets = new AssetsOperations(send);
    this.payouts = new PayoutsOperations(send);
    this.webhooks = new WebhooksOperations(send);
    this.events = new EventsOperations(send);
  }
}
