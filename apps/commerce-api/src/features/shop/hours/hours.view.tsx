import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import type { OpenHours } from './hours.dto';
import { hoursTexts } from './hours.texts';

interface HoursParts {
  readonly form: FormState;
  readonly of: string;
  readonly t: Reader;
  readonly legend: string;
  readonly hint: string;
  readonly value: readonly OpenHours[] | null;
}

const DAYS = [1, 2, 3, 4, 5, 6, 0] as const;

/** Each day with the times that it has; one without any has empty inputs. */
const rowsOf = (hours: readonly OpenHours[]) =>
  DAYS.flatMap((day) => {
    const own = hours.filter((each) => each.day === day);
    return own.length === 0 ? [{ day, open: '', close: '' }] : own.map((each) => ({ ...each, day }));
  });

/** The inputs `hours[n][day|open|close]` of a week; `hoursTyped` reads them. */
export const HoursFields = ({ form, of, t, legend, hint, value }: HoursParts): JSX.Element => {
  const say = hoursTexts(t);
  return (
    <fieldset class="form-two">
      <legend>{legend}</legend>
      <p class="hint">{hint}</p>
      {rowsOf(value ?? []).map(({ day, open, close }, at) => (
        <div class="form-pair">
          <input type="hidden" name={`hours[${at}][day]`} value={day} />
          <Field
            {...{ form, of, name: `hours[${at}][open]`, label: say.open({ day: say.days[day] }), type: 'time' }}
            value={open}
          />
          <Field
            {...{ form, of, name: `hours[${at}][close]`, label: say.close({ day: say.days[day] }), type: 'time' }}
            value={close}
          />
        </div>
      ))}
    </fieldset>
  );
};
