import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { stateOf } from '../../../web/ui/form';
import type { OpenHours } from './hours.dto';
import { hoursTexts } from './hours.texts';
import { daysTyped } from './hours.typed';

interface HoursParts {
  readonly form: FormState;
  readonly of: string;
  readonly t: Reader;
  readonly legend: string;
  readonly hint: string;
  readonly value: readonly OpenHours[] | null;
}

const DAYS = [1, 2, 3, 4, 5, 6, 0] as const;
type Day = (typeof DAYS)[number];
const isDay = (day: number): day is Day => DAYS.some((each) => each === day);

/**
 * Each of these days, one after the other, with the times that it has; one without any has empty inputs. What is left of the hours comes after
 * them.
 */
const rowsOf = (days: readonly number[], hours: readonly OpenHours[]): OpenHours[] => {
  const left = [...hours];
  const rows = days.map((day) => {
    const at = left.findIndex((each) => each.day === day);
    return left.splice(at < 0 ? left.length : at, 1)[0] ?? { day, open: '', close: '' };
  });
  return [...rows, ...left];
};

/** Every day as often as it is open, and once at least. */
const daysOf = (hours: readonly OpenHours[]): number[] =>
  DAYS.flatMap((day) => Array<number>(Math.max(1, hours.filter((each) => each.day === day).length)).fill(day));

/** The inputs `hours[n][day|open|close]` of a week; `hoursTyped` reads them. In a form that came back each row is still of the day that it was typed for. */
export const HoursFields = ({ form, of, t, legend, hint, value }: HoursParts): JSX.Element => {
  const say = hoursTexts(t);
  const hours = value ?? [];
  const typed = daysTyped(stateOf(form, of).fields).filter(isDay);
  const days = [...typed, ...daysOf(hours).filter((day) => !typed.some((each) => each === day))];
  return (
    <fieldset class="form-two">
      <legend>{legend}</legend>
      <p class="hint">
        {hint} {say.round}
      </p>
      {rowsOf(days, hours).map(({ day, open, close }, at) => (
        <div class="form-pair">
          <input type="hidden" name={`hours[${at}][day]`} value={day} />
          <Field
            {...{ form, of, name: `hours[${at}][open]`, label: say.open({ day: say.days[day as Day] }), type: 'time' }}
            value={open}
          />
          <Field
            {...{
              form,
              of,
              name: `hours[${at}][close]`,
              label: say.close({ day: say.days[day as Day] }),
              type: 'time',
            }}
            value={close}
          />
        </div>
      ))}
    </fieldset>
  );
};
