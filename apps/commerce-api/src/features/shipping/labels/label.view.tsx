import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { Empty } from '../../../web/ui/parts';
import { PrintBar } from '../../../web/ui/print';
import { Way } from '../../../web/ui/reading';
import { given, moneyIn, placeLines } from '../../papers/pdf/public';
import { code128 } from './code128';
import type { Label, OrderLabels } from './label.sql';
import { labelTexts } from './label.texts';
import { labelWords } from './label.words';

const BAR_HEIGHT = 40;

/** Bars as people's scanners read them; the text stands below. */
const Barcode = ({ text }: { readonly text: string }): JSX.Element => {
  const widths = code128(text);
  const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width, 0));
  const total = widths.reduce((sum, width) => sum + width, 0);
  return (
    <svg class="barcode" viewBox={`0 0 ${total} ${BAR_HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text}>
      {widths.map((width, at) =>
        at % 2 === 0 ? <rect x={starts[at]} y={0} width={width} height={BAR_HEIGHT} fill="#000" /> : null,
      )}
    </svg>
  );
};

const Lines = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <>
    {lines.map((line) => (
      <p dir="auto">{line}</p>
    ))}
  </>
);

const Sheet = ({ label }: { readonly label: Label }): JSX.Element => {
  const words = labelWords[label.locale];
  const { sender, receiver, address, collect, lines, number } = label;
  const code = label.waybill ?? number;
  return (
    <article class="sheet label-sheet" lang={label.locale}>
      <b dir="auto">{sender.name}</b>
      <b>{given([label.courier, label.service]).join(' ')}</b>
      <Barcode text={code} />
      <p class="code">{code}</p>
      {collect > 0 ? (
        <b>
          {words.collect}: {moneyIn(label.locale, label.currency)(collect)}
        </b>
      ) : null}
      <p>{words.to}</p>
      <b dir="auto">{`${receiver.name} +${receiver.phone}`}</b>
      <Lines lines={given([...placeLines(address), address?.note])} />
      <p>{words.from}</p>
      <Lines
        lines={given([`${sender.name} ${sender.phone ? `+${sender.phone}` : ''}`, ...placeLines(sender.address)])}
      />
      <p>
        {words.order} {number}
        {label.weight_g > 0 ? ` · ${words.weight} ${label.weight_g} g` : ''}
      </p>
      <Lines lines={lines.map(({ name, sku, qty }) => `${qty} × ${name} (${sku})`)} />
    </article>
  );
};

export const LabelSheets = ({ data, params, t }: Shown<OrderLabels>): JSX.Element => {
  const say = labelTexts(t);
  const back = `/orders/${params.id}`;
  if (data.labels.length === 0)
    return (
      <Empty text={say.none}>
        <Way class="button" to={back}>
          {say.toOrder}
        </Way>
      </Empty>
    );
  return (
    <>
      <PrintBar back={back} />
      {data.labels.map((label) => (
        <Sheet label={label} />
      ))}
    </>
  );
};
