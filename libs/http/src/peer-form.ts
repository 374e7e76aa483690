export type FormFields = Readonly<Record<string, string | undefined>>;

/** The fields as `multipart/form-data`, without those that are undefined. */
export const formBody = async (
  fields: FormFields,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: string }> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  const encoded = new Response(form);
  return { headers: { 'content-type': encoded.headers.get('content-type') ?? '' }, body: await encoded.text() };
};
