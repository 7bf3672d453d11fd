/* SPDX-License-Identifier: MIT */
/* Compiled for Arm by test_variables.c, if there is a C++ compiler: namespaces, base classes, static members. */
namespace drive
{
int speed = 1200;

class base
{
  public:
    short ticks = 7;
};

class other
{
  public:
    short gears = 5;
};

class wheel : public base, public other
{
  public:
    int radius = 33;
    static int count;

  private:
    int &alias = speed;
};

int wheel::count = 4;
wheel left;
enum class gear : unsigned char { NEUTRAL, FIRST = 200 };
gear selected = gear::FIRST;
} // namespace drive

extern "C" int use_classes()
{
    return drive::left.radius + drive::wheel::count + drive::left.ticks;
}
