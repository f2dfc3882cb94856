/** Key pairs that were created on this page, newest first. They are stored in this browser only. */
const NAME = 'sandbox-accounts';
const KEPT = 20;

let unstored = [];

export function madeHere() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '[]');
  } catch {
    return unstored; // No storage in this browser: the keys last as long as the page.
  }
}

export function keep(address, secret) {
  unstored = [{ address, secret }, ...madeHere()].slice(0, KEPT);
  try {
    localStorage.setItem(NAME, JSON.stringify(unstored));
  } catch {
    // No storage in this browser.
  }
}
