/** Names that people take for the platform's own, and those that it needs. */
const RESERVED: ReadonlySet<string> = new Set(
  `about account accounts admin api app assets auth billing blog cdn chat dashboard demo dev docs domains email ftp help
   imap login mail media ns1 ns2 official pay payment payments platform pop ads root secure security shop smtp sso static
   status store support system test webhook webhooks webmail www`.split(/\s+/),
);

/** Whether no store can be found under this name. */
export const isReserved = (name: string): boolean => RESERVED.has(name);
