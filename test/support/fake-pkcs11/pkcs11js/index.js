/**
 * Stands for the package pkcs11js where none is compiled: one token "teller" with the PIN 1234 and the key "wallets". The
 * "library" is a JSON file, read at each call: `fault` says how the token behaves, and `log` names a file that gets a line
 * for each login.
 */
const { createCipheriv, createDecipheriv, createHash } = require('node:crypto');
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');

const KEY = createHash('sha256').update('the key of the fake token').digest();

class Pkcs11Error extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

class PKCS11 {
  load(path) {
    readFileSync(path);
    writeFileSync(`${path}.environment`, JSON.stringify(Object.keys(process.env)));
    this.path = path;
    this.ready = new Map();
  }
  behaviour() {
    return JSON.parse(readFileSync(this.path, 'utf8'));
  }
  C_Initialize() {}
  C_GetSlotList() {
    return this.behaviour().fault === 'no token' ? [] : [Buffer.of(7)];
  }
  C_GetTokenInfo() {
    return { label: 'teller'.padEnd(32) };
  }
  C_OpenSession() {
    return Buffer.from(`${this.ready.size}`);
  }
  C_Login(_session, _user, pin) {
    const { log } = this.behaviour();
    if (log) appendFileSync(log, 'login\n');
    if (pin !== '1234') throw new Pkcs11Error('CKR_PIN_INCORRECT', 160);
  }
  C_FindObjectsInit(_session, template) {
    this.found = template.some(({ value }) => value === 'wallets') ? [Buffer.of(9)] : [];
  }
  C_FindObjects() {
    return this.found;
  }
  C_FindObjectsFinal() {}
  C_EncryptInit(session, { parameter }) {
    this.misbehave();
    this.ready.set(session, parameter);
  }
  async C_EncryptAsync(session, from, into) {
    const { iv, aad } = this.ready.get(session);
    const cipher = createCipheriv('aes-256-gcm', KEY, iv).setAAD(aad);
    const sealed = Buffer.concat([cipher.update(from), cipher.final(), cipher.getAuthTag()]);
    sealed.copy(into);
    return into.subarray(0, sealed.length);
  }
  C_DecryptInit(session, { parameter }) {
    this.misbehave();
    this.ready.set(session, parameter);
  }
  async C_DecryptAsync(session, from, into) {
    const { iv, aad } = this.ready.get(session);
    const cipher = createDecipheriv('aes-256-gcm', KEY, iv).setAAD(aad);
    cipher.setAuthTag(from.subarray(-16));
    if (into.length < from.length) throw new Pkcs11Error('CKR_BUFFER_TOO_SMALL', 0x150); // as SoftHSM does
    try {
      const opened = Buffer.concat([cipher.update(from.subarray(0, -16)), cipher.final()]);
      opened.copy(into);
      return into.subarray(0, opened.length);
    } catch {
      throw new Pkcs11Error('CKR_GENERAL_ERROR', 5);
    }
  }
  misbehave() {
    const { fault } = this.behaviour();
    if (fault === 'hang') for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (fault === 'crash') process.kill(process.pid, 'SIGSEGV');
    if (fault === 'broken') throw new Pkcs11Error('CKR_GENERAL_ERROR', 5);
    if (fault === 'stale') throw new Pkcs11Error('CKR_OBJECT_HANDLE_INVALID', 130);
    if (fault === 'no right') throw new Pkcs11Error('CKR_KEY_FUNCTION_NOT_PERMITTED', 104);
  }
}

module.exports = { PKCS11 };
