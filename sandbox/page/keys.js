/** Key pairs that were made on this page, newest first. They live in this browser only. */
const NAME = 'sandbox-accounts';
const KEPT = 20;

let unstored = [];

export function madeHere() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '[]');
  } catch {
    return unstored; // no storage in this browser: they last as long as the page
  }
}

export function keep(address, secret) {
  unstored = [{ address, secret }, ...madeHere()].slice(0, KEPT);
  try {
    localStorage.setItem(NAME, JSON.stringify(unstored));
  } catch {
    // as above
  }
}
