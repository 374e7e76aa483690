/** What a caller may do with the people whom a shop knows. */
export const contactsAbilities = ['contact.read', 'contact.write', 'contact.export'] as const;
