import { Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import type { DayOfWallet } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { type AssetFields, unitOf } from '../../text/asset.ts';
import { formatInteger, formatUnits } from '../../text/money.ts';
import styles from './flow-chart.module.css';
import { flowScale } from './flow-scale.ts';

/** As many dates stand under the chart at most; half of them on a phone. */
const DATES_MAX = 10;

const dayOfMonth = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

const sayDay = (date: string) => dayOfMonth.format(new Date(`${date}T00:00:00Z`));
/** For the height of a bar only: the figures are exact. */
const roughly = (stroops: bigint) => Number(stroops) / 1e7;

type Props = { days: DayOfWallet[]; asset: AssetFields };

/** A bar up for the deposits of each day, and one down for its withdrawals. Screen readers get a table. */
export function FlowChart({ days, asset }: Props) {
  return (
    <>
      <Bars days={days} asset={asset} />
      <DayTable days={days} unit={unitOf(asset)} />
    </>
  );
}

function Bars({ days, asset }: Props) {
  const [pointed, setPointed] = useState<number | null>(null);
  const largest = (field: 'deposits_stroops' | 'withdrawals_stroops') =>
    Math.max(0, ...days.map((day) => roughly(day[field])));
  const { top, bottom, lines } = flowScale(largest('deposits_stroops'), largest('withdrawals_stroops'));
  const share = (units: number) => `${(100 * units) / (top - bottom)}%`;
  const dates_every = Math.ceil(days.length / DATES_MAX);
  return (
    <div
      className={styles.chart}
      role="img"
      aria-label="Deposits and withdrawals by day"
      onPointerLeave={() => setPointed(null)}
    >
      {lines.map((value) => (
        <div
          key={value}
          className={styles.line}
          data-zero={value === 0 || undefined}
          style={{ bottom: share(value - bottom) }}
        >
          <span>{compact.format(Math.abs(value))}</span>
        </div>
      ))}
      <div className={styles.days}>
        {days.map(({ date, deposits_stroops, withdrawals_stroops }, index) => (
          <div key={date} className={styles.day} onPointerEnter={() => setPointed(index)}>
            <div
              className={styles.deposits}
              style={{ bottom: share(-bottom), height: share(roughly(deposits_stroops)) }}
            />
            <div
              className={styles.withdrawals}
              style={{ top: share(top), height: share(roughly(withdrawals_stroops)) }}
            />
            {index % dates_every === 0 && (
              <span className={styles.date} data-second={(index / dates_every) % 2 === 1 || undefined}>
                {sayDay(date)}
              </span>
            )}
          </div>
        ))}
      </div>
      {pointed !== null && (
        <DayTip day={days[pointed]} asset={asset} style={besideDay(pointed, days.length)} />
      )}
    </div>
  );
}

/** The place of a tip beside a day: on the side of the chart that has more room. A phone has room on neither. */
function besideDay(index: number, count: number): CSSProperties {
  const place =
    index < count / 2
      ? { '--tip-left': `${(100 * (index + 1)) / count}%` }
      : { '--tip-right': `${100 - (100 * index) / count}%` };
  return place as CSSProperties;
}

type TipProps = { day: DayOfWallet | undefined; asset: AssetFields; style: CSSProperties };

function DayTip({ day, asset, style }: TipProps) {
  if (!day) return null;
  return (
    <Paper withBorder shadow="md" p="xs" className={styles.tip} style={style}>
      <Text size="sm" fw={600}>
        {sayDay(day.date)}
      </Text>
      <Text size="sm">
        Deposits: <Figures stroops={day.deposits_stroops} asset={asset} /> (
        {formatInteger(day.deposits_count)})
      </Text>
      <Text size="sm">
        Withdrawals: <Figures stroops={day.withdrawals_stroops} asset={asset} /> (
        {formatInteger(day.withdrawals_count)})
      </Text>
      {asset.asset_issuer === null && (
        <Text size="sm">
          Fees: <Figures stroops={day.fees_stroops} />
        </Text>
      )}
    </Paper>
  );
}

/** The chart as a table for screen readers, without days that have nothing. */
function DayTable({ days, unit }: { days: DayOfWallet[]; unit: string }) {
  const busy = days.filter((day) => day.deposits_count + day.withdrawals_count > 0);
  return (
    <VisuallyHidden>
      <Table>
        <caption>Deposits and withdrawals in {unit} by day. Days without any are left out.</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Deposits</th>
            <th scope="col">Withdrawals</th>
          </tr>
        </thead>
        <tbody>
          {busy.map((day) => (
            <tr key={day.date}>
              <th scope="row">{sayDay(day.date)}</th>
              <td>{formatUnits(day.deposits_stroops)}</td>
              <td>{formatUnits(day.withdrawals_stroops)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </VisuallyHidden>
  );
}
