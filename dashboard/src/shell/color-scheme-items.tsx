import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the system' },
] as const;

/** In a menu: the colours of the pages. The browser keeps the choice. */
export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return SCHEMES.map(({ value, label }) => (
    <Menu.Item
      key={value}
      role="menuitemradio"
      aria-checked={colorScheme === value}
      closeMenuOnClick={false}
      rightSection={colorScheme === value && <IconCheck size={16} />}
      onClick={() => setColorScheme(value)}
    >
      {label}
    </Menu.Item>
  ));
}
