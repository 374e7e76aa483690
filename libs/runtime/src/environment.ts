/** The one place that reads the process's environment. Everything else receives configuration. */
export const environment: Record<string, string | undefined> = process.env;
