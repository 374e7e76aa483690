import type { Dialogue, Reply, Turn } from './dialogue';
import { replyTo } from './reply.rules';

const ALL = [
  'search_products',
  'check_stock',
  'get_shipping_cost',
  'create_checkout',
  'check_payment_status',
  'track_waybill',
  'get_store_policy',
  'handover_to_human',
];
const turn = (role: Turn['role'], text: string, rest: Partial<Turn> = {}): Turn => ({
  role,
  text,
  toolCalls: [],
  ...rest,
});
const dialogue = (turns: Turn[], rest: Partial<Dialogue> = {}): Dialogue => ({
  model: 'sandbox-rules-main',
  turns,
  tools: ALL.map((name) => ({ name, parameters: {} })),
  choice: 'auto',
  promptTokens: 1,
  key: 'k'.repeat(64),
  ...rest,
});
const summary = ({ text, toolCalls }: Reply) =>
  text ?? toolCalls.map(({ name, argsJson }) => [name, JSON.parse(argsJson) as unknown]);
const say = (text: string, facts = '') =>
  summary(replyTo(dialogue([turn('system', `Kamu asisten toko.\n${facts}`), turn('user', text)])));

/** Plays a turn to its end, answering tool calls with the results in `tools`. Returns the calls and the text. */
const play = (text: string, tools: Record<string, unknown>, before: Turn[] = []) => {
  const turns = [...before, turn('user', text)];
  const calls: unknown[] = [];
  for (let step = 0; step < 6; step += 1) {
    const reply = replyTo(dialogue(turns, { key: `${step}`.repeat(64) }));
    if (reply.text !== null) return { calls, text: reply.text };
    turns.push(turn('assistant', '', { toolCalls: reply.toolCalls }));
    for (const { id, name, argsJson } of reply.toolCalls) {
      calls.push([name, JSON.parse(argsJson)]);
      turns.push(turn('tool', JSON.stringify(tools[name]), { toolCallId: id }));
    }
  }
  throw new Error('the rules did not come to an end');
};

const SHOES = {
  data: [
    { sku: 'S1', name: 'Sepatu Lari Nusa Hitam', price: 250000, stock: 7, url: 'https://shop.example/s1' },
    { sku: 'S2', name: 'Sepatu Lari Bima', price: 199000, stock: 0 },
  ],
};
const FACTS = 'conversation facts: skus: S1, S2; orders: INV-261120-ABC234';
const QUOTE = {
  items: [{ sku: 'S1', quantity: 2 }],
  customerName: 'Budi',
  address: 'Jl. Merdeka 1',
  destination: 'Bandung',
  confirmToken: 'c_abc',
};

describe('intents of the sandbox model', () => {
  it.each([
    [
      'saya mau bicara dengan admin',
      [['handover_to_human', { reason: 'customer_request', summary: 'saya mau bicara dengan admin' }]],
    ],
    ['I want a human', [['handover_to_human', { reason: 'customer_request', summary: 'I want a human' }]]],
    [
      'mau komplain, barang rusak',
      [['handover_to_human', { reason: 'complaint', summary: 'mau komplain, barang rusak' }]],
    ],
    ['lacak resi JP1234567890 jne', [['track_waybill', { waybill: 'JP1234567890', courier: 'jne' }]]],
    ['resi saya mana', 'Boleh sebutkan nomor resinya, kak?'],
    ['sudah bayar INV-261120-XYZ kak', [['check_payment_status', { orderNumber: 'INV-261120-XYZ' }]]],
    ['status bayar?', 'Boleh sebutkan nomor pesanannya, kak?'],
    ['bisa tukar ukuran?', [['get_store_policy', { question: 'bisa tukar ukuran?' }]]],
    ['jam buka?', [['get_store_policy', { question: 'jam buka?' }]]],
    ['kak sepatu lari hitam ada?', [['search_products', { query: 'sepatu lari hitam' }]]],
    ['do you have black shoes?', [['search_products', { query: 'black shoes' }]]],
    ['sepatu di bawah 300rb', [['search_products', { query: 'sepatu', priceMax: 300000 }]]],
    ['stok sepatu hitam', [['search_products', { query: 'sepatu hitam' }]]],
    ['ongkir sepatu hitam ke Bandung berapa kak', [['search_products', { query: 'sepatu hitam' }]]],
    ['ongkir?', 'Mau dikirim ke kota mana ya kak?'],
    ['ongkir ke Bandung', 'Produk yang mana ya kak?'],
    ['halo kak', 'Halo kak, selamat datang! Ada yang bisa kami bantu?'],
    ['good morning, how are you', 'Hello, welcome! How can we help?'],
    ['terima kasih ya', 'Sama-sama kak, senang bisa membantu.'],
    ['ya', 'Ada yang bisa kami bantu, kak? Kakak bisa tanya produk, stok, ongkir atau pesanan.'],
  ])('%s', (text, expected) => {
    expect(say(text)).toEqual(expected);
  });

  it('takes the product and the order number from the conversation facts', () => {
    expect(say('ongkir ke Jakarta Selatan dong', FACTS)).toEqual([
      ['get_shipping_cost', { destination: 'Jakarta Selatan', items: [{ sku: 'S1', quantity: 1 }] }],
    ]);
    expect(say('stok s2 ada 3 pcs?', FACTS)).toEqual([['check_stock', { items: [{ sku: 'S2', quantity: 3 }] }]]);
    expect(say('aku sudah transfer ya, sudah bayar', FACTS)).toEqual([
      ['check_payment_status', { orderNumber: 'INV-261120-ABC234' }],
    ]);
  });

  it('confirms an open quote with exactly its arguments, but only on a line that begins with yes', () => {
    const facts = `Conversation facts: {"skus":["S1"],"orders":[],"quote":${JSON.stringify(QUOTE)}}`;
    expect(say('iya lanjut', facts)).toEqual([['create_checkout', QUOTE]]);
    expect(say('ongkirnya berapa ya ke Solo', facts)).toEqual([
      ['get_shipping_cost', { destination: 'Solo', items: [{ sku: 'S1', quantity: 1 }] }],
    ]);
  });

  it('never calls a tool that the request does not offer', () => {
    for (const text of [
      'admin',
      'sudah bayar INV-1234',
      'pesan sepatu',
      'ongkir ke Solo',
      'stok sepatu',
      'retur?',
      'ada sepatu?',
    ])
      expect(replyTo(dialogue([turn('user', text)], { tools: [] })).toolCalls).toEqual([]);
    const onlySearch = dialogue([turn('user', 'stok sepatu')], {
      tools: [{ name: 'search_products', parameters: {} }],
    });
    expect(summary(replyTo(onlySearch))).toEqual([['search_products', { query: 'sepatu' }]]);
  });
});

describe('turns of the sandbox model', () => {
  it('shows search results with price, stock and the picture of the first', () => {
    expect(play('ada sepatu lari?', { search_products: SHOES })).toEqual({
      calls: [['search_products', { query: 'sepatu lari' }]],
      text: 'Ada kak:\n- Sepatu Lari Nusa Hitam Rp250.000, stok 7\n- Sepatu Lari Bima Rp199.000, habis\n[[img:S1]]',
    });
  });

  it('checks the stock of what the search found', () => {
    expect(
      play('stok sepatu lari?', {
        search_products: SHOES,
        check_stock: { data: [{ sku: 'S1', qty: 1, stock: 7, available: true }] },
      }),
    ).toEqual({
      calls: [
        ['search_products', { query: 'sepatu lari' }],
        ['check_stock', { items: [{ sku: 'S1', quantity: 1 }] }],
      ],
      text: 'S1: stok 7',
    });
  });

  it('calls nothing sold out that has no end', () => {
    const found = [{ sku: 'S1', name: 'Pasang AC', price: 150_000, stock: null }];
    expect(play('ada pasang ac?', { search_products: { products: found } }).text).toContain('Pasang AC Rp150.000.');
    const check_stock = { data: [{ sku: 'S1', qty: 1, stock: 0, available: true }] };
    expect(play('stok pasang ac?', { search_products: { products: found }, check_stock }).text).toBe('S1: ada');
  });

  it('quotes shipping, and asks which destination when several match', () => {
    const rates = {
      data: [
        { name: 'JNE REG', cost: 18000, etd_days: '2-3' },
        { courier: 'tiki', service: 'ECO', cost: 9500 },
      ],
    };
    expect(play('ongkir sepatu ke Bandung', { search_products: SHOES, get_shipping_cost: rates }).text).toBe(
      'Ongkir kak:\n- JNE REG Rp18.000 (2-3)\n- tiki ECO Rp9.500',
    );
    const { text } = play('ongkir sepatu ke Bandung', {
      search_products: SHOES,
      get_shipping_cost: { data: { status: 'ambiguous', options: ['Bandung, Jawa Barat', 'Bandungan, Jawa Tengah'] } },
    });
    expect(text).toBe('Tujuannya yang mana ya kak?\n1. Bandung, Jawa Barat\n2. Bandungan, Jawa Tengah');
    const chosen = play('2', { get_shipping_cost: rates }, [
      turn('system', FACTS),
      turn('user', 'ongkir sepatu ke Bandung'),
      turn('assistant', text),
    ]);
    expect(chosen.calls).toEqual([
      ['get_shipping_cost', { destination: 'Bandungan, Jawa Tengah', items: [{ sku: 'S1', quantity: 1 }] }],
    ]);
  });

  it('orders in one line: search, then a quote to confirm', () => {
    const quote = {
      data: { status: 'needs_confirmation', subtotal: 500000, shipping: 18000, total: 518000, confirmToken: 'c_abc' },
    };
    expect(
      play('pesan sepatu lari 2 pcs, nama Budi Santoso, alamat Jl. Merdeka 1, Coblong, kota Bandung', {
        search_products: SHOES,
        create_checkout: quote,
      }),
    ).toEqual({
      calls: [
        ['search_products', { query: 'sepatu lari' }],
        [
          'create_checkout',
          {
            items: [{ sku: 'S1', quantity: 2 }],
            customerName: 'Budi Santoso',
            address: 'Jl. Merdeka 1, Coblong',
            destination: 'Bandung',
          },
        ],
      ],
      text: 'Ringkasan pesanan: subtotal Rp500.000, ongkir Rp18.000, total Rp518.000. Balas "ya" untuk melanjutkan.',
    });
  });

  it('asks for what is missing, and assembles the order over several messages', () => {
    const asked = play('beli 3 dong', {}, [turn('system', FACTS)]);
    expect(asked).toEqual({
      calls: [],
      text: 'Siap kak, boleh kirim nama, alamat, kota penerimanya? Contoh: nama Budi, alamat Jl. Merdeka 1, kota Bandung.',
    });
    const before = [turn('system', FACTS), turn('user', 'beli 3 dong'), turn('assistant', asked.text)];
    const { calls } = play(
      'Nama: Sari\nAlamat: Jl. Asia Afrika 8\nKota: Bandung',
      { create_checkout: { error: 'out_of_stock' } },
      before,
    );
    expect(calls).toEqual([
      [
        'create_checkout',
        {
          items: [{ sku: 'S1', quantity: 3 }],
          customerName: 'Sari',
          address: 'Jl. Asia Afrika 8',
          destination: 'Bandung',
        },
      ],
    ]);
  });

  it.each([
    [
      'create_checkout',
      'ya',
      {
        data: {
          orderNumber: 'INV-1',
          paymentUrl: 'https://pay.example/1',
          total: 518000,
          expiresAt: '2026-11-21T07:00:00Z',
        },
      },
      'Pesanan INV-1 sudah dibuat, total Rp518.000. Bayar di https://pay.example/1 sebelum 2026-11-21T07:00:00Z',
    ],
    [
      'create_checkout',
      'ya',
      { data: { status: 'processing' } },
      'Pesanan kakak sedang diproses, tautan pembayaran menyusul ya.',
    ],
    [
      'check_payment_status',
      'status bayar INV-1234',
      { data: { orderNumber: 'INV-1234', status: 'paid', total: 518000, waybill: 'JP12345' } },
      'Status pembayaran INV-1234: sudah lunas, Rp518.000, Resi JP12345.',
    ],
    [
      'track_waybill',
      'lacak JP1234567890',
      {
        data: {
          waybill: 'JP1234567890',
          courier: 'jne',
          status: 'in_transit',
          events: [{ text: 'Tiba di gudang', place: 'Bandung' }],
        },
      },
      'Resi JP1234567890 jne: in_transit. Tiba di gudang, Bandung.',
    ],
    [
      'get_store_policy',
      'retur?',
      { data: [{ chunkId: 'c1', title: 'Retur', body: 'Retur 7 hari.' }] },
      'Retur 7 hari.',
    ],
    [
      'search_products',
      'ada topi?',
      { data: [] },
      'Maaf kak, produk itu belum kami temukan. Boleh sebutkan nama produk lainnya?',
    ],
    [
      'search_products',
      'ada topi?',
      { error: 'timeout after 3000 ms' },
      'Maaf kak, datanya belum bisa kami cek sekarang. Mau kami sambungkan ke tim kami?',
    ],
    ['handover_to_human', 'admin', { data: { ok: true } }, 'Baik kak, kami sambungkan ke tim kami ya.'],
  ])('puts a result of %s into words (%s)', (tool, text, result, expected) => {
    const facts = turn('system', `conversation facts: ${JSON.stringify({ quote: QUOTE })}`);
    expect(play(text, { [tool]: result }, [facts]).text).toBe(expected);
  });

  it('considers a line that arrives after the tool result, without repeating the same call', () => {
    const first = replyTo(dialogue([turn('user', 'ada sepatu lari?')]));
    const [call] = first.toolCalls;
    const turns = [
      turn('user', 'ada sepatu lari?'),
      turn('assistant', '', { toolCalls: first.toolCalls }),
      turn('tool', JSON.stringify(SHOES), { toolCallId: call?.id }),
    ];
    expect(summary(replyTo(dialogue([...turns, turn('user', 'kak?')])))).toContain('Sepatu Lari Nusa Hitam');
    expect(summary(replyTo(dialogue([...turns, turn('user', 'yang merah')])))).toEqual([
      ['search_products', { query: 'sepatu lari merah' }],
    ]);
  });
});
