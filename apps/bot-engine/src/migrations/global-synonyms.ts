/** Of products: the list that product search was measured with (design 3.9). */
const PRODUCTS = `
  pampers=popok sunscreen=tabir_surya jilbab=kerudung headset=earphone wajan=panci jins=jeans cas=charger itm=hitam itam=hitam`;

/** How customers write Indonesian, and words whose stems PostgreSQL's dictionary does not bring together. */
const CHAT = `
  ongkir=ongkos_kirim,biaya_pengiriman ongkirnya=ongkos_kirim,biaya_pengiriman kirim=pengiriman kirimnya=pengiriman,dikirim dikirimnya=dikirim
  kembali=pengembalian,dikembalikan kembalikan=pengembalian,dikembalikan balikin=dikembalikan,pengembalian,retur dibalikin=dikembalikan,retur
  pengembalian=dikembalikan,retur retur=pengembalian,dikembalikan return=retur,pengembalian,dikembalikan refund=dana,dikembalikan
  duit=uang,dana uang=dana tuker=tukar,penukaran nuker=tukar,penukaran ditukar=penukaran tukar=penukaran
  kekecilan=ukuran,tidak_pas kegedean=ukuran,tidak_pas kebesaran=ukuran,tidak_pas kesempitan=ukuran,tidak_pas
  brg=barang brang=barang ori=original,asli asli=original palsu=original kw=palsu,original
  trf=transfer tf=transfer transferan=transfer bukti=bukti_pembayaran buktinya=bukti_pembayaran
  nyampe=tiba,sampai,estimasi sampe=tiba,estimasi sampai=tiba,estimasi nyampenya=tiba,estimasi lama=estimasi
  ilang=hilang rusak=cacat,pecah cacat=rusak resi=nomor_resi noresi=nomor_resi lacak=resi
  ultah=ulang_tahun temen=teman bungkusin=bungkus dibungkusin=bungkus bungkus=kemasan
  nyicil=cicilan kredit=cicilan cicil=cicilan dp=uang_muka cod=bayar_di_tempat
  batalin=dibatalkan,pembatalan batal=dibatalkan,pembatalan membatalkan=pembatalan cancel=dibatalkan,pembatalan
  dipesen=pesanan,dipesan pesen=pesan,pesanan pesan=pesanan pesanannya=pesanan orderan=pesanan order=pesanan
  nyambungin=menyambungkan,sambung sambungin=menyambungkan,sambung gratisan=gratis alamat=lokasi lokasi=alamat,terletak
  diskon=potongan promo=diskon murah=diskon,potongan ubah=diubah,diganti ganti=diganti,diubah mengubah=diubah
  buka=jam_layanan tutup=libur libur=tutup online=chat,layanan respon=layanan,chat slow=layanan
  persen=% komplain=keluhan nota=invoice,faktur faktur=invoice gudang=ambil`;

/** What English-speaking customers ask of shops that write Indonesian. */
const ENGLISH = `
  returns=retur,pengembalian,return returned=retur,dikembalikan refunds=refund,dana exchange=tukar,penukaran
  shipping=pengiriman,ongkos_kirim delivery=pengiriman,delivery ship=pengiriman,dikirim deliver=pengiriman,dikirim shipped=dikirim
  courier=kurir tracking=resi track=resi package=paket parcel=paket lost=hilang missing=hilang,kurang damaged=rusak,cacat,pecah broken=rusak,pecah
  wrong=salah address=alamat change=diubah,diganti free=gratis cost=biaya,harga fee=biaya fees=biaya price=harga cheap=murah
  pay=pembayaran,bayar payment=pembayaran paid=dibayar cash=cod,bayar_di_tempat installment=cicilan installments=cicilan
  transfer=transfer invoice=faktur tax=pajak warranty=garansi guarantee=garansi electronics=elektronik electronic=elektronik repair=perbaikan,servis
  store=toko shop=toko located=lokasi,terletak location=lokasi,terletak open=buka opening=buka opened=buka closed=tutup hours=jam,pukul hour=jam,pukul
  monday=senin tuesday=selasa wednesday=rabu thursday=kamis friday=jumat saturday=sabtu sunday=minggu weekend=sabtu,minggu
  day=hari days=hari week=minggu month=bulan year=tahun orders=pesanan cancelled=dibatalkan
  watch=jam_tangan watches=jam_tangan waterproof=tahan_air shoes=sepatu shoe=sepatu bag=tas wallet=dompet shirt=kaos,kemeja dress=gamis jacket=jaket
  size=ukuran sizes=ukuran material=bahan fabric=bahan,kain wash=cuci clean=bersihkan battery=baterai original=original authentic=original genuine=original
  discount=diskon,potongan voucher=voucher points=poin wholesale=grosir bulk=grosir reseller=reseller gift=kado,hadiah wrap=bungkus
  black=hitam white=putih red=merah blue=biru green=hijau brown=coklat`;

const entriesOf = (list: string): [word: string, expand: string][] =>
  list
    .trim()
    .split(/\s+/)
    .flatMap((entry) => {
      const [word = '', expansions = ''] = entry.split('=');
      return expansions.split(',').map((expand): [string, string] => [word, expand.replaceAll('_', ' ')]);
    });

/**
 * What customers write and what shops write, for all stores. An underscore stands for a blank. Read by a migration: additions belong in
 * a migration of their own.
 */
export const GLOBAL_SYNONYMS = [PRODUCTS, CHAT, ENGLISH].flatMap(entriesOf).filter(([word, expand]) => word !== expand);
