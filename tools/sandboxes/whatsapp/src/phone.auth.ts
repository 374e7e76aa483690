import type { AuthenticationState, SignalDataSet, SignalDataTypeMap } from 'baileys';
import type { Library } from './library';

/** A phone's credentials and keys, in memory only. Values are copied as by a database, sessions as bytes. */
export const memoryAuth = ({ initAuthCreds }: Library): AuthenticationState => {
  const stored = new Map<string, unknown>();
  return {
    creds: initAuthCreds(),
    keys: {
      get: <T extends keyof SignalDataTypeMap>(type: T, ids: string[]): Record<string, SignalDataTypeMap[T]> =>
        Object.fromEntries(
          ids.flatMap((id) => {
            const value = stored.get(`${type}/${id}`) as SignalDataTypeMap[T] | undefined;
            return value === undefined ? [] : [[id, value]];
          }),
        ),
      set: (data: SignalDataSet): void => {
        for (const [type, values] of Object.entries(data))
          for (const [id, value] of Object.entries(values ?? {}))
            if (value === null) stored.delete(`${type}/${id}`);
            else stored.set(`${type}/${id}`, value);
      },
    },
  };
};
