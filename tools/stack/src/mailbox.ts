import { eventually } from './demo-calls';

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What the mail sandbox has for somebody that holds this, the newest; waits for it. Throws when nothing comes, and says where to look. */
export const mailTo = (mailbox: string, to: string, holds: RegExp): Promise<RegExpExecArray> =>
  eventually(`A mail to ${to}`, `the log of commerce-api, and ${mailbox}/__sandbox/messages`, async () => {
    const answer = await fetch(`${mailbox}/__sandbox/messages?to=${encodeURIComponent(to)}`);
    const mails = ((await answer.json()) as Mail[]).toReversed();
    return (
      mails.map(({ subject, text }) => holds.exec(`${subject}\n${text}`)).find((found) => found !== null) ?? undefined
    );
  });
