/** Sends mails to the operator's SMTP server. */
import type { Transporter } from 'nodemailer';
import type { Clock } from '../lib/clock.ts';
import { parseEmail } from '../lib/email.ts';
import { isPrivateHost } from '../lib/host-or-block.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Of silence on an open connection. */
const SILENCE_TIMEOUT_MS = 20_000;
/** For the whole mail. */
export const MAIL_TIMEOUT_MS = 60_000;

/**
 * `to`: one e-mail address. `message_id`: what is before the `@` of the Message-ID, the same for the same mail, so that mail
 * programs can drop a repeated one; absent for a mail that is sent once.
 */
export type Mail = { to: string; subject: string; text: string; message_id?: string };

export type Mailer = {
  /** Resolves when the server has taken the mail. @throws Error when it has not, or nobody knows */
  send(mail: Mail): Promise<void>;
};

/**
 * Creates the mailer. `smtp_url`: smtps://, or smtp:// with STARTTLS, which only servers in private networks may lack: otherwise anybody on the way
 * could read links of invitations. `from`: an e-mail address.
 */
export function createMailer({ smtp_url, from }: { smtp_url: string; from: string }, clock: Clock): Mailer {
  const url = new URL(smtp_url);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isPrivateHost(url),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let transport: Transporter | undefined;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ to, subject, text, message_id }) {
      // A list of addresses, or one with a name or a comment, would reach others.
      if (parseEmail(to)?.email !== to)
        throw new Error('the e-mail address cannot be the receiver of a mail');
      // With the first mail: most processes send none, and the package takes 3 MB.
      transport ??= (await import('nodemailer')).createTransport(options);
      const sent = transport.sendMail({
        from: { name: 'Stellar Teller', address: from },
        to,
        subject: oneLine(subject),
        text,
        ...(message_id !== undefined && { messageId: `<${message_id}@${domain}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: nobody's absence notice answers
      });
      await withinTime(clock, sent);
    },
  };
}

/** Puts a text on one line. A header ends with its line: what a person has typed must not begin another one. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200);
}

async function withinTime(clock: Clock, sent: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const late = clock.sleep(MAIL_TIMEOUT_MS, ended.signal).then(() => {
    if (!ended.signal.aborted)
      throw new Error(`the mail server took longer than ${MAIL_TIMEOUT_MS / 1000} s`);
  });
  try {
    await Promise.race([sent, late]);
  } finally {
    ended.abort();
  }
}
