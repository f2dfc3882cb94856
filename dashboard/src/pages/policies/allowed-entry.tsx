import { usePayees } from '../../api/payees.ts';
import { Copyable } from '../../components/copy.tsx';
import { assetName } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';

type Props = {
  /** An address, or the id of a payee. */
  entry: string;
  ends?: number;
  /** Every character of an address. */
  whole?: boolean;
};

/** An entry of an allow list: an address, or a payee with whom it is. */
export function AllowedEntry({ entry, ends = 6, whole = false }: Props) {
  const payee = usePayees().find(({ id }) => id === entry);
  const address = payee?.destination ?? entry;
  const shown = whole ? (
    <span className="mono">{address}</span>
  ) : (
    <Copyable value={address} what="destination" ends={ends} />
  );
  if (!payee) return shown;
  const { name, memo_id, asset_code, asset_issuer } = payee;
  return (
    <>
      <b>{isolated(name)}</b> {shown}
      {memo_id !== null && ` · memo ${memo_id}`}
      {asset_code !== null && ` · ${assetName({ asset_code, asset_issuer })} only`}
    </>
  );
}
