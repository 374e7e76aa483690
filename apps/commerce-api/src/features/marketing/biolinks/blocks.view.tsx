import type { JSX } from 'preact';
import { seenOf } from '../../../web/seen';
import { Check, Field, Select, TextArea, type Labelled } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Chip, Section } from '../../../web/ui/parts';
import { isShown, nameOf, networkName } from './bio.view';
import { biolinkTexts } from './biolinks.texts';
import type { One } from './builder.types';
import { editableOf } from './blocks.sql';
import { blockKinds, networks, type BiolinkBlock, type BlockContent, type BlockKind } from './blocks.dto';

interface BlockForm extends One {
  readonly of: string;
  readonly kind: BlockKind;
  readonly block?: BiolinkBlock;
}

/** One input for each network; those that a page has, first. */
const Socials = ({ form, of, block, t }: BlockForm): JSX.Element => {
  const known = block?.data.links ?? [];
  const others = networks.filter((network) => !known.some((link) => link.network === network));
  const rows = [...known, ...others.map((network) => ({ network, url: '' }))];
  return (
    <>
      {rows.map(({ network, url }, at) => (
        <>
          <input type="hidden" name={`data[links][${at}][network]`} value={network} />
          <Field
            {...{ form, of, name: `data[links][${at}][url]`, label: networkName(network), inputMode: 'url' }}
            {...{ hint: at === 0 ? biolinkTexts(t).pageHint : undefined, maxLength: 2048, value: url }}
          />
        </>
      ))}
    </>
  );
};

/** Goods to choose from, and what was chosen. */
const Goods = ({ form, of, block, kind, data, t }: BlockForm & { readonly kind: 'product' | 'checkout' }) => {
  const say = biolinkTexts(t);
  const name = kind === 'product' ? 'product_id' : 'checkout_link_id';
  const chosen = block?.data[name];
  const listed = data.choices[kind];
  const isListed = chosen === undefined || listed.some(([id]) => id === chosen);
  const mine = isListed ? [] : [[chosen, (block && data.names.get(block.id)) ?? say.gone] as const];
  const options = [...mine, ...listed];
  if (options.length === 0) return <p>{say.noGoods}</p>;
  return <Select {...{ form, of, name: `data[${name}]`, label: say[kind], value: chosen, options }} />;
};

type Input = Pick<Labelled, 'label' | 'hint' | 'required'> & { readonly name: keyof BlockContent };

/** The inputs of a kind, beside its goods and networks. */
const inputsOf = (kind: BlockKind, { t }: Pick<One, 't'>): readonly Input[] => {
  const say = biolinkTexts(t);
  const title = { name: 'title', label: say.blockTitle } as const;
  const url = { name: 'url', label: say.url, hint: say.urlHint, required: true } as const;
  switch (kind) {
    case 'heading':
      return [{ ...title, required: true }];
    case 'link':
      return [{ ...title, required: true }, url];
    case 'qr':
      return [title, url];
    case 'video':
      return [title, { ...url, hint: say.pageHint }];
    case 'whatsapp':
      return [
        { ...title, required: true },
        { name: 'phone', label: say.phone, required: true },
      ];
    case 'social':
      return [];
    default:
      return [{ ...title, hint: say.titleHint }];
  }
};

const Inputs = (parts: BlockForm): JSX.Element => {
  const { form, of, kind, block, t } = parts;
  const say = biolinkTexts(t);
  return (
    <>
      {inputsOf(kind, parts).map(({ name, ...input }) => (
        <Field
          {...{ form, of, ...input, name: `data[${name}]`, maxLength: name === 'title' ? 80 : 2048 }}
          value={block?.data[name] as string | undefined}
        />
      ))}
      {kind === 'whatsapp' ? (
        <TextArea
          {...{ form, of, name: 'data[text]', label: say.message, hint: say.messageHint, rows: 2 }}
          value={block?.data.text}
        />
      ) : null}
      {kind === 'social' ? <Socials {...parts} /> : null}
      {kind === 'product' || kind === 'checkout' ? <Goods {...parts} kind={kind} /> : null}
    </>
  );
};

const EditForm = (parts: BlockForm): JSX.Element => {
  const { form, of, kind, block, data, t } = parts;
  const say = biolinkTexts(t);
  return (
    <Form form={form} action={`/biolinks/${data.page.id}`} name={of}>
      <input type="hidden" name="kind" value={kind} />
      {block ? <input type="hidden" name="block_id" value={block.id} /> : null}
      {block ? <input type="hidden" name="seen" value={seenOf(editableOf(block))} /> : null}
      <Inputs {...parts} />
      {block ? <Check {...{ form, of, name: 'active', label: say.active, value: block.active }} /> : null}
      <div class="row-actions">
        <button class="button button-main">{say.save}</button>
      </div>
    </Form>
  );
};

interface OfBlock extends One {
  readonly block: BiolinkBlock;
}

/** One place up or down: the first and the last have one way to go. */
const MoveForm = ({ block, nth, data, form, t }: OfBlock & { readonly nth: number }): JSX.Element => {
  const say = biolinkTexts(t);
  const name = nameOf(block, data.names, t);
  return (
    <Form form={form} action={`/biolinks/${data.page.id}`} name={`move.${block.id}`}>
      <input type="hidden" name="block_id" value={block.id} />
      <span class="block-moves">
        {nth === 0 ? null : (
          <button class="icon-button" name="step" value="up">
            <Icon name="arrow-up" label={say.up({ name })} />
          </button>
        )}
        {nth === data.page.blocks.length - 1 ? null : (
          <button class="icon-button" name="step" value="down">
            <Icon name="arrow-down" label={say.down({ name })} />
          </button>
        )}
      </span>
    </Form>
  );
};

const editOf = ({ id }: BiolinkBlock): string => `block.${id}`;

/** The one that is being changed, or whose form came back. */
const isChosen = ({ form, query }: One, block: BiolinkBlock): boolean =>
  form.action === editOf(block) || (form.action === undefined && query.edit === block.id);

const Chosen = ({ block, ...shown }: OfBlock): JSX.Element => {
  const { data, form, t } = shown;
  return (
    <div class="panel" id="edit">
      <EditForm {...shown} {...{ of: editOf(block), block, kind: block.kind }} />
      <Form form={form} action={`/biolinks/${data.page.id}`} name="remove">
        <input type="hidden" name="block_id" value={block.id} />
        <div class="row-actions">
          <button class="button button-danger">{biolinkTexts(t).removeBlock}</button>
        </div>
      </Form>
    </div>
  );
};

const Row = ({ block, nth, ...shown }: OfBlock & { readonly nth: number }): JSX.Element => {
  const { data, t } = shown;
  const say = biolinkTexts(t);
  const clicks = data.statistics.blocks.find(({ id }) => id === block.id)?.clicks ?? 0;
  return (
    <li class="block-row">
      <a class="panel block-name" href={`/biolinks/${data.page.id}?edit=${block.id}#edit`}>
        <bdi>{nameOf(block, data.names, t)}</bdi>
        <small>
          {say.kinds[block.kind]}
          {block.kind === 'heading' ? null : ` · ${say.clicks({ count: t.count(clicks) })}`}
        </small>
        {isShown(block, data.names) ? null : <Chip tone="wait">{block.active ? say.gone : say.inactive}</Chip>}
      </a>
      <MoveForm {...shown} {...{ block, nth }} />
      {isChosen(shown, block) ? <Chosen {...shown} block={block} /> : null}
    </li>
  );
};

/** Which kind a form that came back is of, or which was chosen. */
const addedOf = ({ form, query }: One): BlockKind | undefined => {
  const typed = form.action === 'add' ? form.fields.kind : query.add;
  return blockKinds.find((kind) => kind === typed);
};

/** What a page shows, from top to bottom, and what can be added to it. */
export const Blocks = (shown: One): JSX.Element => {
  const { data, t } = shown;
  const { page } = data;
  const say = biolinkTexts(t);
  const added = addedOf(shown);
  return (
    <Section title={say.blocks}>
      {page.blocks.length === 0 ? <p class="panel">{say.noBlocks}</p> : null}
      <ol class="rows">
        {page.blocks.map((block, nth) => (
          <Row {...shown} {...{ block, nth }} />
        ))}
      </ol>
      <nav class="block-kinds" id="add" aria-label={say.add}>
        {blockKinds.map((kind) => (
          <a class="button" href={`/biolinks/${page.id}?add=${kind}#add`} aria-current={kind === added}>
            <Icon name="plus" />
            {say.kinds[kind]}
          </a>
        ))}
      </nav>
      {added === undefined ? null : (
        <div class="panel">
          <h3>{say.kinds[added]}</h3>
          <EditForm {...shown} of="add" kind={added} />
        </div>
      )}
    </Section>
  );
};
